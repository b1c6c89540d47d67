package io.holdfast.lua.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.AdmitRequest;
import io.holdfast.lua.Books;
import io.holdfast.lua.CancelRequest;
import io.holdfast.lua.ClaimDueRequest;
import io.holdfast.lua.ConfirmRequest;
import io.holdfast.lua.Fence;
import io.holdfast.lua.HandedOffRequest;
import io.holdfast.lua.JournaledFence;
import io.holdfast.lua.LookRequest;
import io.holdfast.lua.Phase;
import io.holdfast.lua.PoolAdjustRequest;
import io.holdfast.lua.PoolAdjustRequest.Bound;
import io.holdfast.lua.PoolExpireRequest;
import io.holdfast.lua.PoolInitRequest;
import io.holdfast.lua.PoolRebuildBeginRequest;
import io.holdfast.lua.PoolRebuildLoadRequest;
import io.holdfast.lua.PoolRebuildOpenRequest;
import io.holdfast.lua.PoolRepairRequest;
import io.holdfast.lua.PoolRepairRequest.FenceRepair;
import io.holdfast.lua.PoolStatus;
import io.holdfast.lua.PoolStatusRequest;
import io.holdfast.lua.PoolVerifyRequest;
import io.holdfast.lua.RefundRequest;
import io.holdfast.lua.Sale;
import io.holdfast.lua.SoldOutRequest;
import io.holdfast.lua.StockScripts;
import io.holdfast.lua.TryRequest;
import io.holdfast.lua.script.PoolKeys;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs a table against one pool. A line is {@code command arguments | expected}; blank lines and lines that begin with # are left out.
 *
 * <pre>
 * init OP TOTAL              adjust OP TOTAL BASELINE [fit|out|in]   status OP TARGET
 * try RES QUANTITY           confirm RES QUANTITY            cancel RES QUANTITY [held|empty] [OP]
 * refund RES REFUND QUANTITY [restock|keep] [OP]             look RES
 * verify OP EPOCH VERSION TOTAL+DEFICIT=AVAILABLE/RESERVED/SOLD RESTORE
 * begin OP EPOCH                                             load OP EPOCH CHUNK FENCE FENCE ...
 * open OP EPOCH CHUNKS FENCES FENCED_SOLD VERSION TOTAL+DEFICIT=AVAILABLE/RESERVED/SOLD BASELINE RESTORE
 * repair OP VERSION TOTAL+DEFICIT=AVAILABLE/RESERVED/SOLD [RES SEEN FENCE]
 * expire OP KEEP [RES]
 * admit RES USER REQUEST QUANTITY                            handed RES
 * claim DUE_BY LEASE_UNTIL MOST      holds USER              list
 * epoch N (of all following commands)
 * sale LIMIT OPENS CLOSES (of all following init and open)   at SECONDS (goes on from there)
 * put stock|ops|notes|admitted|RES FIELD VALUE               drop stock|ops|notes|admitted|RES [FIELD]
 * </pre>
 *
 * <p>The last two lines have no expectation; {@code put} and {@code drop} go behind the scripts' back. Times are seconds since the beginning.
 * {@code holds} is what the gate's notes say of a user, {@code list} whom it has to hand over and when. What follows an {@code admit} of a
 * reservation says that it was admitted.
 *
 * <pre>
 * </pre>
 *
 * <p>A FENCE is {@code RES/PHASE/QUANTITY/CONFIRMED/RELEASED/REFUNDED}, then {@code /REFUND,QUANTITY,restock|keep} for each refund, or
 * {@code /unknown} where its journal does not say the numbers, {@code /@USER,REQUEST} of an admitted one;
 * in a repair {@code none} is no fence. SEEN is {@code none} or {@code PHASE/QUANTITY/CONFIRMED/RELEASED/REFUNDED}.
 *
 * <p>Beyond what is expected in the table, after every line: the same call again, at a later time, changes nothing stored and gives the
 * same answer (of the first run, where it did something); what is refused changes nothing stored, but for the list, and that a move was refused; the numbers add up,
 * and the notes with the fences. A claim alone is not repeated, for it takes the next ones.
 */
public final class Scenario {

    /** What the journal of a fence says the numbers were. */
    private static final Books HOLD = new Books(1, 41, 100, 0, 90, 10, 0);

    private static final Books LATEST = new Books(1, 42, 100, 0, 90, 5, 5);

    /** It says only that it is held. */
    private static final Books NOT_KNOWN = new Books(0, 0, 0, 0, 0, 0, 0);

    private static final Set<String> OF_POOL = Set.of("stock", "ops", "notes", "due", "admitted");

    private static final Instant START = Instant.parse("2026-11-29T10:00:00.123Z");

    private final ScriptsUnderTest subject;
    private final StockScripts scripts;
    private final String pool;
    private final Set<String> reservations = new TreeSet<>();
    private final Set<String> admitted = new HashSet<>();
    private Optional<Sale> sale = Optional.empty();
    private long epoch = 1;
    private long seconds;
    private boolean booksLeftAlone = true;

    /** A scenario on one pool that nothing else uses. */
    public Scenario(ScriptsUnderTest subject, String pool) {
        this.subject = subject;
        this.scripts = subject.scripts();
        this.pool = pool;
    }

    /** Runs a table. */
    public void run(String table) {
        for (String line : table.lines().map(String::strip).toList()) {
            if (!line.isEmpty() && !line.startsWith("#")) {
                String[] sides = line.split("\\|", 2);
                List<String> words = List.of(sides[0].strip().split("\\s+"));
                if (!prepared(words)) {
                    check(line, words, sides[1].strip().replaceAll("\\s+", " "));
                }
            }
        }
    }

    private boolean prepared(List<String> words) {
        switch (words.get(0)) {
            case "epoch" -> epoch = Long.parseLong(words.get(1));
            case "sale" ->
                sale = Optional.of(new Sale(
                        number(words, 1), START.plusSeconds(number(words, 2)), START.plusSeconds(number(words, 3))));
            case "at" -> seconds = number(words, 1);
            case "put" -> {
                subject.put(key(words.get(1)), words.get(2), words.size() > 3 ? words.get(3) : "");
                booksLeftAlone = false;
            }
            case "drop" -> {
                if (words.size() > 2) {
                    subject.removeField(key(words.get(1)), words.get(2));
                } else {
                    subject.remove(key(words.get(1)));
                }
                booksLeftAlone = false;
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private void check(String line, List<String> words, String expected) {
        reservations.addAll(named(words));
        Map<String, Map<String, String>> before = stored();
        String answer = answer(words);
        assertThat(answer).as(line).isEqualTo(expected);
        Map<String, Map<String, String>> after = stored();
        if (!firstOf(words, answer)) {
            List.of("due", "admitted").forEach(list -> before.put(list, after.get(list)));
            if (answer.startsWith("TOO_FEW")) {
                before.put("ops", after.get("ops")); // that it was refused is remembered
            }
            assertThat(after).as("what is stored after: " + line).isEqualTo(before);
        }
        if (booksLeftAlone) {
            assertAddsUp(line, after.get("stock"));
            assertMarksWhatRises(line, before.get("stock"), after.get("stock"));
            assertNotesAgree(line, after);
        }
        if (words.get(0).equals("claim")) {
            return;
        }

        assertThat(answer(words)).as("repeat of: " + line).isEqualTo(repeatOf(words, answer));
        assertThat(stored()).as("what is stored after the repeat of: " + line).isEqualTo(after);
    }

    /** Reservations a line is about. */
    private static List<String> named(List<String> words) {
        return switch (words.get(0)) {
            case "init", "adjust", "status", "verify", "begin", "open", "claim", "holds", "list" -> List.of();
            case "load" ->
                words.subList(4, words.size()).stream()
                        .map(fence -> fence.split("/")[0])
                        .toList();
            case "repair" -> words.size() > 4 ? List.of(words.get(4)) : List.of();
            case "expire" -> words.size() > 3 ? List.of(words.get(3)) : List.of();
            default -> List.of(words.get(1));
        };
    }

    private static void assertAddsUp(String line, Map<String, String> stock) {
        if (!stock.isEmpty()) {
            long left = number(stock, "total") + number(stock, "deficit");
            long right = number(stock, "available") + number(stock, "reserved") + number(stock, "sold");
            assertThat(left).as("the sum after: " + line).isEqualTo(right);
        }
    }

    /** Whoever reads a pool twice sees by the mark whether units came in between, even if as many went again. */
    private static void assertMarksWhatRises(String line, Map<String, String> before, Map<String, String> after) {
        if (after.isEmpty() || !before.getOrDefault("epoch", "").equals(after.get("epoch"))) {
            return;
        }
        if (number(after, "available") > number(before, "available")) {
            assertThat(after.get("raised")).as("the mark after: " + line).isEqualTo(after.get("version"));
            assertThat(number(after, "version")).isGreaterThan(number(before, "version"));
        } else if (line.matches("(try|admit|confirm|adjust) .*")) {
            assertThat(after.get("raised")).as("the mark after: " + line).isEqualTo(before.get("raised"));
        }
    }

    /** What the notes say of each user is what the user's fences of this epoch have left. */
    private static void assertNotesAgree(String line, Map<String, Map<String, String>> stored) {
        Map<String, Long> left = new TreeMap<>();
        String current = stored.get("stock").getOrDefault("epoch", "");
        for (Map<String, String> fence : stored.values()) {
            if (fence.containsKey("user")
                    && fence.getOrDefault("epoch", "1").equals(current)
                    && Set.of("RESERVED", "CONFIRMED").contains(fence.get("phase"))) {
                long units = number(fence, "quantity") - number(fence, "released") - number(fence, "refunded");
                left.merge("u:" + fence.get("user"), units, Long::sum);
            }
        }
        Map<String, Long> noted = new TreeMap<>();
        stored.get("notes").forEach((field, value) -> {
            if (field.startsWith("u:")) {
                noted.put(field, Long.parseLong(value));
            }
        });
        assertThat(noted).as("what users hold after: " + line).isEqualTo(left);
    }

    private static long number(Map<String, String> hash, String field) {
        String text = hash.get(field);
        assertThat(text).as(field).matches("0|[1-9][0-9]*");
        return Long.parseLong(text);
    }

    /** Whether this answer says that something was written. */
    private static boolean firstOf(List<String> words, String answer) {
        boolean turnedAwayAtTheGate = words.get(0).equals("admit") && !answer.startsWith("QUEUED");
        return !turnedAwayAtTheGate
                && Set.of(
                                "HELD",
                                "QUEUED",
                                "HANDED_OFF",
                                "SHORT",
                                "CLOSED",
                                "PAUSED",
                                "CONFIRMED",
                                "RELEASED",
                                "FENCED_EMPTY",
                                "REFUNDED",
                                "CREATED",
                                "ADJUSTED",
                                "CHANGED",
                                "VERIFIED",
                                "BEGUN",
                                "LOADED",
                                "OPENED",
                                "REPAIRED")
                        .contains(answer.split(" ")[0])
                && !(answer + " ").contains(" again ");
    }

    private static String repeatOf(List<String> words, String answer) {
        if (answer.startsWith("RELEASED ")) {
            return "ALREADY_" + answer;
        }
        if (answer.startsWith("LOADED ") && firstOf(words, answer)) {
            return answer + " again";
        }
        return firstOf(words, answer) ? answer.replaceFirst(" v(\\d+ \\d)", " again v$1") : answer;
    }

    private String key(String name) {
        return PoolKeys.prefix(pool, ScriptsUnderTest.tag(pool)) + ":" + (OF_POOL.contains(name) ? name : "r:" + name);
    }

    private Map<String, Map<String, String>> stored() {
        Map<String, Map<String, String>> stored = new LinkedHashMap<>();
        stored.put("stock", subject.hash(key("stock")));
        stored.put("ops", subject.hash(key("ops")));
        stored.put("notes", subject.hash(key("notes")));
        stored.put("admitted", subject.hash(key("admitted")));
        Map<String, String> due = new LinkedHashMap<>();
        subject.scores(key("due")).forEach((member, score) -> due.put(member, score.toString()));
        stored.put("due", due);
        reservations.forEach(name -> stored.put(name, subject.hash(key(name))));
        return stored;
    }

    private String answer(List<String> words) {
        Instant now = START.plusSeconds(seconds++);
        String first = words.size() > 1 ? words.get(1) : "";
        return switch (words.get(0)) {
            case "init" ->
                Lines.of(known(scripts.poolInit(new PoolInitRequest(pool, epoch, first, number(words, 2), sale, now))));
            case "adjust" ->
                Lines.of(known(scripts.poolAdjust(new PoolAdjustRequest(
                        pool,
                        epoch,
                        first,
                        number(words, 2),
                        number(words, 3),
                        words.size() < 5
                                ? Bound.ANY
                                : Bound.valueOf(words.get(4).toUpperCase(Locale.ROOT)),
                        now))));
            case "status" ->
                Lines.of(known(scripts.poolStatus(
                        new PoolStatusRequest(pool, epoch, first, PoolStatus.valueOf(words.get(2)), now))));
            case "verify" -> Lines.of(known(scripts.poolVerify(verify(words, now))));
            case "admit" -> {
                admitted.add(first);
                yield Lines.of(known(scripts.admit(new AdmitRequest(
                        pool,
                        epoch,
                        first,
                        words.get(2),
                        words.get(3),
                        number(words, 4),
                        now.plusSeconds(300),
                        now.plusSeconds(5),
                        now))));
            }
            case "handed" -> Lines.of(known(scripts.handedOff(new HandedOffRequest(pool, epoch, first, now))));
            case "claim" ->
                Lines.of(known(scripts.claimDue(new ClaimDueRequest(
                        pool,
                        START.plusSeconds(number(words, 1)),
                        START.plusSeconds(number(words, 2)),
                        number(words, 3),
                        now))));
            case "holds" -> subject.hash(key("notes")).getOrDefault("u:" + first, "nothing");
            case "list" ->
                subject.scores(key("due")).entrySet().stream()
                        .map(one -> one.getKey() + " at "
                                + Duration.between(START, Instant.ofEpochMilli(one.getValue()))
                                        .toSeconds())
                        .collect(Collectors.joining(", "));
            case "try" -> Lines.of(known(scripts.tryHold(new TryRequest(pool, epoch, first, number(words, 2), now))));
            case "confirm" ->
                Lines.of(known(scripts.confirm(
                        new ConfirmRequest(pool, epoch, first, number(words, 2), admitted.contains(first), now))));
            case "cancel" -> Lines.of(known(scripts.cancel(cancel(words, now))));
            case "refund" -> Lines.of(known(scripts.refund(refund(words, now))));
            case "begin" ->
                Lines.of(known(
                        scripts.poolRebuildBegin(new PoolRebuildBeginRequest(pool, number(words, 2), first, now))));
            case "load" -> Lines.of(known(scripts.poolRebuildLoad(load(words, now))));
            case "open" -> Lines.of(known(scripts.poolRebuildOpen(open(words, now))));
            case "repair" -> Lines.of(known(scripts.poolRepair(repair(words, now))));
            case "expire" ->
                Lines.of(known(scripts.poolExpire(new PoolExpireRequest(
                        pool,
                        epoch,
                        first,
                        words.stream().skip(3).findFirst(),
                        Duration.ofMillis(number(words, 2)),
                        now))));
            case "sold-out" -> Lines.of(known(scripts.soldOut(new SoldOutRequest(pool, first, number(words, 2)))));
            case "look" -> Lines.of(known(scripts.look(new LookRequest(pool, first))));
            default -> throw new IllegalArgumentException("no command " + words);
        };
    }

    private CancelRequest cancel(List<String> words, Instant now) {
        String reservation = words.get(1);
        boolean held = !"empty".equals(word(words, 3, "held"));
        return new CancelRequest(
                pool,
                epoch,
                reservation,
                word(words, 4, "RELEASE:" + reservation),
                number(words, 2),
                held,
                admitted.contains(reservation),
                now);
    }

    private RefundRequest refund(List<String> words, Instant now) {
        String reservation = words.get(1);
        String refund = words.get(2);
        boolean restock = !"keep".equals(word(words, 4, "restock"));
        String operation = word(words, 5, "REFUND:" + reservation + ":" + refund);
        return new RefundRequest(
                pool,
                epoch,
                reservation,
                operation,
                refund,
                number(words, 3),
                restock,
                admitted.contains(reservation),
                now);
    }

    private PoolVerifyRequest verify(List<String> words, Instant now) {
        String[] numbers = words.get(4).split("[+=/]");
        return new PoolVerifyRequest(
                pool,
                number(words, 2),
                words.get(1),
                number(words, 3),
                Long.parseLong(numbers[0]),
                Long.parseLong(numbers[1]),
                Long.parseLong(numbers[2]),
                Long.parseLong(numbers[3]),
                Long.parseLong(numbers[4]),
                PoolStatus.valueOf(words.get(5)),
                now);
    }

    private PoolRebuildLoadRequest load(List<String> words, Instant now) {
        return new PoolRebuildLoadRequest(
                pool,
                number(words, 2),
                words.get(1),
                number(words, 3),
                words.subList(4, words.size()).stream().map(Scenario::fence).toList(),
                now);
    }

    private PoolRebuildOpenRequest open(List<String> words, Instant now) {
        String[] numbers = words.get(7).split("[+=/]");
        return new PoolRebuildOpenRequest(
                pool,
                number(words, 2),
                words.get(1),
                number(words, 3),
                number(words, 4),
                number(words, 5),
                number(words, 6),
                Long.parseLong(numbers[0]),
                Long.parseLong(numbers[1]),
                Long.parseLong(numbers[2]),
                Long.parseLong(numbers[3]),
                Long.parseLong(numbers[4]),
                number(words, 8),
                PoolStatus.valueOf(words.get(9)),
                sale,
                now);
    }

    private PoolRepairRequest repair(List<String> words, Instant now) {
        String[] numbers = words.get(3).split("[+=/]");
        return new PoolRepairRequest(
                pool,
                epoch,
                words.get(1),
                number(words, 2),
                Long.parseLong(numbers[0]),
                Long.parseLong(numbers[1]),
                Long.parseLong(numbers[2]),
                Long.parseLong(numbers[3]),
                Long.parseLong(numbers[4]),
                words.size() > 4
                        ? Optional.of(new FenceRepair(
                                words.get(4),
                                given(words.get(5)).map(Scenario::seen),
                                given(words.get(6)).map(Scenario::fence)))
                        : Optional.empty(),
                now);
    }

    private static Optional<String> given(String word) {
        return word.equals("none") ? Optional.empty() : Optional.of(word);
    }

    private static Fence seen(String text) {
        String[] parts = text.split("/");
        return new Fence(
                Phase.valueOf(parts[0]),
                Long.parseLong(parts[1]),
                Long.parseLong(parts[2]),
                Long.parseLong(parts[3]),
                Long.parseLong(parts[4]),
                Map.of());
    }

    private static JournaledFence fence(String text) {
        String[] parts = text.split("/");
        boolean unknown = text.endsWith("/unknown");
        return new JournaledFence(
                parts[0],
                Phase.valueOf(parts[1]),
                Long.parseLong(parts[2]),
                Long.parseLong(parts[3]),
                Long.parseLong(parts[4]),
                Long.parseLong(parts[5]),
                unknown ? NOT_KNOWN : HOLD,
                unknown ? NOT_KNOWN : LATEST,
                Stream.of(parts)
                        .filter(part -> part.startsWith("@"))
                        .map(part -> part.substring(1).split(","))
                        .map(by -> new JournaledFence.Admitted(by[0], by[1], START))
                        .findFirst(),
                Stream.of(parts)
                        .skip(6)
                        .filter(refund -> !refund.equals("unknown") && !refund.startsWith("@"))
                        .map(refund -> refund.split(","))
                        .map(refund -> new JournaledFence.Refund(
                                refund[0], Long.parseLong(refund[1]), refund[2].equals("restock")))
                        .toList());
    }

    private static String word(List<String> words, int index, String otherwise) {
        return index < words.size() ? words.get(index) : otherwise;
    }

    private static long number(List<String> words, int index) {
        return Long.parseLong(words.get(index));
    }

    /** The value of a known outcome; anything else fails the test. */
    public static <T> T known(CompletionStage<Outcome<T>> stage) {
        Outcome<T> outcome = outcome(stage);
        assertThat(outcome).isInstanceOf(Outcome.Known.class);
        return ((Outcome.Known<T>) outcome).value();
    }

    /** The outcome, waited for. */
    public static <T> Outcome<T> outcome(CompletionStage<Outcome<T>> stage) {
        try {
            return stage.toCompletableFuture().get(Duration.ofSeconds(20).toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("the stage must complete, and never exceptionally", e);
        }
    }
}
