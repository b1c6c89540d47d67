package io.holdfast.reconciliation;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.lua.Fence;
import io.holdfast.lua.PoolStatus;
import io.holdfast.lua.StoredFences;
import io.holdfast.reconciliation.FenceRule.Judgement;
import io.holdfast.reconciliation.Finding.Evidence;
import io.holdfast.reconciliation.JournalSide.LedgerSum;
import io.holdfast.reconciliation.JournalSide.Passed;
import io.holdfast.reconciliation.JournalSide.Viewed;
import io.holdfast.reconciliation.RedisSide.Reading;
import io.holdfast.reconciliation.RunStore.PoolOutcome;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.ReservationMachine;
import io.holdfast.reservation.domain.Sale;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/**
 * One comparison of one pool, a page at a time, while the pool serves:
 *
 * <ol>
 *   <li>Read the pool's numbers in Redis. If nothing has moved since an earlier run proved them, that is all. If Redis does not serve the
 *       pool, being another process than the one it was verified under, that is all, too: the pool is told, as by a hold that meets it,
 *       and freezes and verifies itself. An idle pool has nobody else to tell it.
 *   <li>Take the journal's position and wait until the view has passed it: whatever had moved the pool by then is in the view, at least as
 *       an intent.
 *   <li>Go through its reservations, page by page, each against one reading of its fence.
 *   <li>What differs is not a finding yet. Take a new position, wait for the view again, and read the reservation again: if it has had no
 *       event since, it was in that very state when its fence was read, and the difference is real. If it has, it is looked at anew.
 *   <li>Read the numbers again. If nothing has moved all the while, they must be what the reservations come to. If they are not, fences
 *       are looked for that no journal knows.
 * </ol>
 *
 * <p>Memory does not grow with the pool: a page of rows, sums, and a bounded number of findings at a time.
 */
final class Comparison {

    /** Rows of the view held at a time. */
    static final int PAGE = 500;

    private static final int LOOKED_AT_AGAIN = 5;
    private static final Duration ASKING = Duration.ofSeconds(10);
    private static final Duration LEDGER_AGAIN = Duration.ofMillis(100);

    /**
     * What comparisons are made with.
     *
     * @param mostFindings of one pool; above that they are not named one by one
     */
    record Sides(
            JournalSide journals,
            RedisSide redis,
            GateSide gates,
            Entities<StockPool, StockPoolCommand> pools,
            int mostFindings,
            ReconciliationListener listener) {

        /** @throws CannotCompare if the pool does not say how it stands */
        Reply<StockPool> look(PoolId pool) {
            return switch (Waiting.answer(pools.look(pool.value()), ASKING)) {
                case Outcome.Known<Reply<StockPool>>(Reply<StockPool> reply) -> reply;
                case Outcome.Unknown<Reply<StockPool>>(String why) ->
                    throw new CannotCompare("the pool could not be asked: " + why);
                case Outcome.Unavailable<Reply<StockPool>>(String why) ->
                    throw new CannotCompare("the pool could not be asked: " + why);
            };
        }
    }

    private enum Stage {
        BEGIN,
        RESERVATIONS,
        NUMBERS,
        UNKNOWN_FENCES,
        DONE
    }

    /** What was read first. */
    private record Start(Books books, Passed passed) {}

    /** What the numbers must be, and are. */
    record Numbers(Books expected, Books actual, long sequenceNumber, long position) {}

    private final PoolId pool;
    private final Optional<Proof> proof;
    private final Instant watermark;
    private final Instant now;
    private final Sides sides;

    private final List<Finding> fresh = new ArrayList<>();
    private Stage stage = Stage.BEGIN;
    private PoolOutcome outcome = new PoolOutcome.Skipped();
    private Optional<Start> start = Optional.empty();
    /** What the pool's gate keeps to; empty where it has none. */
    private Optional<Sale> sale = Optional.empty();

    private Optional<String> after = Optional.empty();
    private Optional<Numbers> numbers = Optional.empty();
    private String scanFrom = StoredFences.BEGIN;
    private boolean toldToVerify;
    private long compared;
    private long postponed;
    private long found;
    private FindingClass worst = FindingClass.REPAIR;
    /** Whether no number has moved since the start. */
    private boolean still = true;
    /** Whether every reservation is counted in the sums. */
    private boolean exact = true;

    private long reserved;
    private long sold;
    private final Set<String> unknownFences = new HashSet<>();
    /** Of these, those that a gate let in and nothing else was done to: each is one change that no ledger has yet. */
    private long letIn;

    /** Changes that the ledger lacks, until it is known whether a gate made them. */
    private Optional<Lacking> lacking = Optional.empty();

    private boolean knownNumbers;
    private long unknownReserved;
    private long unknownSold;

    /**
     * A comparison that has not begun.
     *
     * @param proof what an earlier run proved; empty to look at every reservation
     * @param watermark reservations that moved later are not judged
     * @param now for the proof
     */
    Comparison(PoolId pool, Optional<Proof> proof, Instant watermark, Instant now, Sides sides) {
        this.pool = pool;
        this.proof = proof;
        this.watermark = watermark;
        this.now = now;
        this.sides = sides;
    }

    PoolId pool() {
        return pool;
    }

    Instant watermark() {
        return watermark;
    }

    boolean done() {
        return stage == Stage.DONE;
    }

    /** Whether every reservation is looked at. */
    boolean whole() {
        return proof.isEmpty();
    }

    PoolOutcome outcome() {
        return outcome;
    }

    /** Whether the pool was told to freeze and verify itself, which is work for the database and for Redis. */
    boolean toldToVerify() {
        return toldToVerify;
    }

    /** What the numbers must be, where they are known to differ. */
    Optional<Numbers> numbers() {
        return numbers;
    }

    Run.Counts counts() {
        return new Run.Counts(
                done() ? 1 : 0,
                done() && outcome instanceof PoolOutcome.Unchanged ? 1 : 0,
                done() && outcome instanceof PoolOutcome.Skipped ? 1 : 0,
                compared,
                postponed,
                found,
                0);
    }

    /** Findings since this was asked last. */
    List<Finding> takeFindings() {
        List<Finding> taken = List.copyOf(fresh);
        fresh.clear();
        return taken;
    }

    /**
     * One bounded step.
     *
     * @return reservations compared in it
     */
    int step() throws SQLException {
        long before = compared;
        try {
            switch (stage) {
                case BEGIN -> begin();
                case RESERVATIONS -> reservations();
                case NUMBERS -> concludeNumbers();
                case UNKNOWN_FENCES -> unknownFences();
                case DONE -> {}
            }
        } catch (CannotCompare e) {
            skip(String.valueOf(e.getMessage()));
        }
        return (int) (compared - before);
    }

    /** The pool can't be compared now. */
    void skip(String why) {
        add(new Finding(
                pool.value(), FindingType.NOT_COMPARED, FindingClass.WAIT, new Evidence(why, "", 0, 0, 0, position())));
        outcome = new PoolOutcome.Skipped();
        stage = Stage.DONE;
    }

    private long position() {
        return start.map(begun -> begun.passed().position()).orElse(0L);
    }

    // ---- 1. and 2.

    private void begin() throws SQLException {
        Reading first = sides.redis().pool(pool);
        if (first instanceof Reading.Read(boolean trusted, var _, Books books, var _)
                && trusted
                && proof.flatMap(Proof::books).filter(books::equals).isPresent()) {
            end(new PoolOutcome.Unchanged());
            return;
        }
        Reply<StockPool> reply = look();
        switch (reply.state()) {
            case StockPool.New _, StockPool.Initializing _, StockPool.Archived _ -> end(new PoolOutcome.Unchanged());
            case StockPool.Suspect suspect -> skip("it is SUSPECT already: " + suspect.evidence());
            case StockPool.Rebuilding rebuilding -> skip("it is being rebuilt: " + rebuilding.reason());
            case StockPool.Open open -> begin(current(first, open), open, reply.sequenceNumber());
            case StockPool.Closed closed -> begin(current(first, closed), closed, reply.sequenceNumber());
        }
    }

    /**
     * Where Redis did not serve the pool as its journal says, it may have been created, verified or loaded anew before its journal was looked
     * at. Redis has what the journal says by then, so it is read again.
     */
    private Reading current(Reading first, StockPool.Trusted journal) {
        boolean agrees = first instanceof Reading.Read read
                && read.trusted()
                && read.books().epoch() == epoch(journal);
        return agrees ? first : sides.redis().pool(pool);
    }

    private void begin(Reading first, StockPool.Trusted journal, long sequenceNumber) throws SQLException {
        switch (first) {
            case Reading.NoPool() -> lost(journal, sequenceNumber, "Redis has no such pool");
            case Reading.Unreadable(String what) -> lost(journal, sequenceNumber, "unreadable: " + what);
            case Reading.Read(boolean trusted, var status, Books books, var _) -> {
                if (!trusted) {
                    skip(toVerify(epoch(journal), status));
                } else if (books.epoch() != epoch(journal)) {
                    lost(journal, sequenceNumber, "at epoch " + books.epoch());
                } else {
                    sale = journal.sale();
                    if (anyListed()) {
                        // They get into the journals while nothing moves in Redis: what is held is not known for sure.
                        postpone(1);
                    }
                    start = Optional.of(new Start(books, passed()));
                    refuseUnlessWhole();
                    stage = Stage.RESERVATIONS;
                }
            }
        }
    }

    /** Has the pool freeze and verify itself; what came of telling it. */
    private String toVerify(long epoch, PoolStatus status) {
        String why = "Redis does not serve it: "
                + switch (status) {
                    case SUSPECT, REBUILDING -> status + " there";
                    case OPEN, PAUSED, CLOSED, ARCHIVED ->
                        "another process than it was verified under has it as " + status;
                };
        toldToVerify = true;
        var cause = new Cause(
                "reconcile-verify-" + UUID.randomUUID(), "", Cause.Kind.REQUEST, "reconciliation", Optional.empty());
        var command = new StockPoolCommand.Suspect(why, OptionalLong.of(epoch));
        return switch (Waiting.answer(sides.pools().ask(pool.value(), cause, command, Duration.ZERO), ASKING)) {
            case Outcome.Known<Reply<StockPool>> _ -> why + "; it verifies itself now";
            case Outcome.Unknown<Reply<StockPool>>(String lost) -> why + "; told so, the pool did not answer: " + lost;
            case Outcome.Unavailable<Reply<StockPool>>(String no) -> why + "; the pool could not be told: " + no;
        };
    }

    /** What Redis lacks was looked for once: the pool may have been rebuilt, or lost, between the two readings. */
    private void lost(StockPool.Trusted journal, long sequenceNumber, String redis) {
        if (look().sequenceNumber() != sequenceNumber) {
            throw new CannotCompare("the pool's journal went on while it was looked at");
        }
        String says = journal.status() + " at epoch " + epoch(journal) + ", total "
                + journal.totals().map(StockPool.Baseline::total).orElse(0L);
        add(new Finding(
                pool.value(),
                FindingType.POOL_LOST,
                FindingClass.REPAIR,
                new Evidence(says, redis, sequenceNumber, epoch(journal), 0, 0)));
        end(new PoolOutcome.Differs(Drift.NONE));
    }

    private static long epoch(StockPool.Trusted journal) {
        return journal.latestBooks().map(Books::epoch).orElse(1L);
    }

    private Reply<StockPool> look() {
        return sides.look(pool);
    }

    private Passed passed() {
        return sides.journals().passedNow().orElseThrow(() -> new CannotCompare("the view has not caught up"));
    }

    private void refuseUnlessWhole() throws SQLException {
        List<String> parked = begun().passed().how().parkedOf(ReservationMachine.NAME);
        if (parked.isEmpty()) {
            return;
        }
        Map<String, Viewed> shown = sides.journals().byId(parked);
        boolean ours = parked.stream().anyMatch(id -> {
            Viewed viewed = shown.get(id);
            return viewed == null || isOfThisPool(viewed);
        });
        if (ours) {
            throw new CannotCompare("the view has set aside reservations that may be of this pool");
        }
    }

    private boolean isOfThisPool(Viewed viewed) {
        return viewed.state().asked().filter(claim -> claim.pool().equals(pool)).isPresent();
    }

    private Start begun() {
        return start.orElseThrow(() -> new IllegalStateException("the comparison of " + pool + " has not begun"));
    }

    // ---- 3. and 4.

    private void reservations() throws SQLException {
        List<Viewed> page = sides.journals().page(pool, after, proof.map(Proof::watermark), PAGE);
        List<Viewed> differing = new ArrayList<>();
        List<Reading> readings = readings(page);
        for (int i = 0; i < page.size(); i++) {
            Viewed viewed = page.get(i);
            switch (judged(viewed, readings.get(i))) {
                case Judgement.Agrees agrees -> count(agrees);
                case Judgement.Differs _ -> {
                    if (viewed.updatedAt().isAfter(watermark)) {
                        postpone(1);
                    } else {
                        differing.add(viewed);
                    }
                }
            }
        }
        compared += page.size();
        sides.listener().compared(page.size(), page.size() + differing.size());
        confirm(differing);
        if (found > sides.mostFindings()) {
            tooMany();
        } else if (page.size() < PAGE) {
            stage = Stage.NUMBERS;
        } else {
            after = Optional.of(page.getLast().state().id());
        }
    }

    private List<Reading> readings(List<Viewed> reservations) {
        List<Reading> readings = sides.redis()
                .readings(
                        pool,
                        reservations.stream().map(viewed -> viewed.state().id()).toList());
        for (Reading reading : readings) {
            switch (reading) {
                case Reading.Read(boolean trusted, var _, Books books, var _) -> {
                    if (!trusted || books.epoch() != begun().books().epoch()) {
                        throw new CannotCompare("Redis ceased to serve it while it was compared");
                    }
                    still &= books.equals(begun().books());
                }
                case Reading.NoPool() -> throw new CannotCompare("Redis lost it while it was compared");
                case Reading.Unreadable unreadable -> {
                    if (!unreadable.ofFence()) {
                        throw new CannotCompare("its numbers became unreadable: " + unreadable.what());
                    }
                }
            }
        }
        return readings;
    }

    private static Judgement judged(Viewed viewed, Reading reading) {
        return switch (reading) {
            case Reading.Read read -> FenceRule.judge(viewed.state(), read.fence());
            case Reading.Unreadable(String what) -> FenceRule.unreadable(viewed.state(), what);
            case Reading.NoPool() -> throw new CannotCompare("Redis lost it while it was compared");
        };
    }

    private void count(Judgement units) {
        reserved += units.reserved();
        sold += units.sold();
    }

    /** Not judged this time; what it holds is not known for sure. */
    private void postpone(int reservations) {
        postponed += reservations;
        exact = false;
    }

    /** A difference is real when the reservation had no event between the reading of its row and a moment after that of its fence. */
    private void confirm(List<Viewed> suspected) throws SQLException {
        List<Viewed> open = suspected;
        for (int attempt = 1; !open.isEmpty(); attempt++) {
            List<Reading> readings = readings(open);
            Passed passed = passed();
            Map<String, Viewed> again = sides.journals()
                    .byId(open.stream().map(viewed -> viewed.state().id()).toList());
            List<Viewed> moved = new ArrayList<>();
            for (int i = 0; i < open.size(); i++) {
                Viewed before = open.get(i);
                Viewed then = again.get(before.state().id());
                if (then == null || then.sequenceNumber() != before.sequenceNumber()) {
                    moved.add(then == null ? before : then);
                    continue;
                }
                switch (judged(before, readings.get(i))) {
                    case Judgement.Agrees agrees -> count(agrees);
                    case Judgement.Differs differs -> {
                        count(differs);
                        add(finding(before, differs, readings.get(i), passed));
                    }
                }
            }
            sides.listener().moved(moved.size());
            if (attempt == LOOKED_AT_AGAIN) {
                postpone(moved.size());
                return;
            }
            open = moved;
        }
    }

    private Finding finding(Viewed viewed, Judgement.Differs differs, Reading reading, Passed passed) {
        Books books = reading instanceof Reading.Read(var _, var _, Books read, var _) ? read : begun().books();
        return new Finding(
                viewed.state().id(),
                differs.type(),
                differs.kind(),
                new Evidence(
                        differs.journal(),
                        differs.redis(),
                        viewed.sequenceNumber(),
                        books.epoch(),
                        books.version(),
                        passed.position()));
    }

    private void tooMany() {
        add(new Finding(
                pool.value(),
                FindingType.TOO_MANY,
                FindingClass.REPAIR,
                new Evidence(
                        compared + " reservations were compared",
                        found + " of them differ",
                        0,
                        begun().books().epoch(),
                        begun().books().version(),
                        position())));
        end(new PoolOutcome.Differs(Drift.NONE));
    }

    // ---- 5.

    private void concludeNumbers() throws SQLException {
        Reply<StockPool> before = look();
        if (!(sides.redis().pool(pool) instanceof Reading.Read last)
                || !last.trusted()
                || last.books().epoch() != begun().books().epoch()) {
            throw new CannotCompare("Redis ceased to serve it while it was compared");
        }
        Reply<StockPool> reply = look();
        if (!(reply.state() instanceof StockPool.Trusted journal)) {
            throw new CannotCompare("the pool became " + reply.state().status() + " while it was compared");
        }
        Books books = last.books();
        still &= books.equals(begun().books());
        boolean steady = before.sequenceNumber() == reply.sequenceNumber();
        boolean known = steady && still && exact && whole();
        // Where nothing moved, what the view had passed at the start is all there is to pass.
        if (!still) {
            requireSameView();
        }
        Optional<Books> ledger = byLedger(journal, books);
        Books expected = known
                ? Books.expected(books.epoch(), books.version(), total(journal, books), reserved, sold)
                // Without either it is not known what is held and sold, but what it must add up to is.
                : ledger.orElseGet(() -> Books.expected(
                        books.epoch(),
                        books.version(),
                        steady ? total(journal, books) : books.total(),
                        books.reserved(),
                        books.sold()));
        boolean agrees = expected.sameNumbers(books);
        if (!agrees || found > 0 || ledger.filter(expected::sameNumbers).isEmpty()) {
            requireSameView();
        }
        if (known && ledger.filter(sums -> !sums.sameNumbers(expected)).isPresent()) {
            add(ledgerFinding(
                    FindingType.LEDGER_DIFFERS, FindingClass.MANUAL, text(expected), text(ledger.get()), books));
        }
        boolean certain = known || ledger.isPresent();
        // A hold that fell off the list of its gate is a change that only its fence shows.
        boolean byItsGate = lacking.isPresent() && sale.isPresent();
        if (!byItsGate) {
            lacking.map(Lacking::finding).ifPresent(this::add);
        }
        if (agrees && !byItsGate) {
            conclude(Drift.NONE, certain ? Optional.of(books) : Optional.empty());
            return;
        }
        numbers = Optional.of(new Numbers(expected, books, reply.sequenceNumber(), position()));
        knownNumbers = certain;
        if (known || byItsGate) {
            stage = Stage.UNKNOWN_FENCES;
        } else {
            differ(certain);
        }
    }

    /** @param changes how many there are */
    private record Lacking(long changes, Finding finding) {}

    /** Nothing that is shown against a view that forgot everything meanwhile is a finding. */
    private void requireSameView() {
        if (passed().how().rebuilds() != begun().passed().how().rebuilds()) {
            throw new CannotCompare("the view was rebuilt while it was read");
        }
    }

    /**
     * The numbers the pool's ledger comes to at the version that Redis is at; empty where it lacks changes. One that is under way is
     * journaled a moment later, and its reservation owes it until then: only where nothing is owed something is missing.
     */
    private Optional<Books> byLedger(StockPool.Trusted journal, Books redis) throws SQLException {
        Optional<Books> base = proof.flatMap(Proof::books)
                .filter(proved -> proved.epoch() == redis.epoch() && proved.version() <= redis.version());
        long after = base.map(Books::version).orElse(0L);
        for (int attempt = 1; attempt <= LOOKED_AT_AGAIN; attempt++) {
            // Asked before the ledger is read: whatever was done by then is in it.
            boolean owing = attempt == 1
                    || !journal.work().queue().isEmpty()
                    || sides.journals().anyOwes(pool)
                    || anyListed();
            LedgerSum ledger = sides.journals().ledger(pool, redis.epoch(), after, redis.version());
            long missing = missing(ledger, base, redis);
            if (missing == 0) {
                Books sum = ledger.sum();
                return Optional.of(base.map(proved -> plus(proved, sum)).orElse(sum));
            }
            if (!owing) {
                String has = ledger.rows() + " changes up to version " + redis.version() + ", " + missing + " missing"
                        + (ledger.opens() || base.isPresent() ? "" : ", the first one among them");
                lacking = Optional.of(new Lacking(
                        missing,
                        ledgerFinding(
                                FindingType.LEDGER_INCOMPLETE,
                                FindingClass.MANUAL,
                                has,
                                "version " + redis.version(),
                                redis)));
                return Optional.empty();
            }
            Waiting.pause(LEDGER_AGAIN);
            passed();
        }
        postponed++;
        return Optional.empty();
    }

    /** What a gate let in a moment ago is in Redis before any journal knows it. Where Redis does not say, it may be so. */
    private boolean anyListed() {
        return sale.isPresent()
                && !(Waiting.answer(sides.gates().listed(pool), ASKING) instanceof Outcome.Known<Long>(Long holds)
                        && holds == 0);
    }

    /** Changes that Redis has counted since the base, or since the book was opened, and that the ledger lacks. */
    private static long missing(LedgerSum ledger, Optional<Books> base, Books redis) {
        long before = base.map(Books::version).orElse(ledger.opens() ? ledger.first() - 1 : 0);
        return redis.version() - before - ledger.rows();
    }

    private static Books plus(Books proved, Books moved) {
        return new Books(
                moved.epoch(),
                moved.version(),
                proved.total() + moved.total(),
                proved.deficit() + moved.deficit(),
                proved.available() + moved.available(),
                proved.reserved() + moved.reserved(),
                proved.sold() + moved.sold());
    }

    private Finding ledgerFinding(FindingType type, FindingClass kind, String journal, String other, Books redis) {
        return new Finding(
                pool.value(), type, kind, new Evidence(journal, other, 0, redis.epoch(), redis.version(), position()));
    }

    /** By the journal; what a change of the total in flight comes to is as right, for it may have happened. */
    private static long total(StockPool.Trusted journal, Books books) {
        return journal.work()
                .inFlight()
                .map(journal::totalAfter)
                .filter(after -> after == books.total())
                .orElseGet(() -> journal.totals().map(StockPool.Baseline::total).orElse(books.total()));
    }

    // ---- 6.

    private void unknownFences() throws SQLException {
        StoredFences.Names names = sides.redis().names(pool, scanFrom);
        List<String> unknown = unknown(names.reservations());
        if (!unknown.isEmpty()) {
            List<Reading> readings = sides.redis().readings(pool, unknown);
            Passed passed = passed();
            List<String> forSure = unknown(unknown);
            for (int i = 0; i < unknown.size(); i++) {
                String id = unknown.get(i);
                if (forSure.contains(id) && readings.get(i) instanceof Reading.Read read && !goesBack(id)) {
                    read.fence().filter(fence -> fence.left() > 0).ifPresent(fence -> unknown(id, fence, read, passed));
                }
            }
        }
        scanFrom = names.next();
        if (scanFrom.equals(StoredFences.BEGIN) || found > sides.mostFindings()) {
            requireSameView();
            // What is handed over is journaled, and then in the ledger.
            lacking.filter(some -> some.changes() > letIn).map(Lacking::finding).ifPresent(this::add);
            Numbers seen = numbers.orElseThrow();
            if (seen.expected().sameNumbers(seen.actual())) {
                conclude(Drift.NONE, Optional.empty());
            } else {
                differ(knownNumbers);
            }
        }
    }

    /** An admission that came when its reservation had ended, or held in another pool: it owes the return. */
    private boolean goesBack(String id) throws SQLException {
        Viewed viewed = sides.journals().byId(List.of(id)).get(id);
        boolean goes = viewed != null
                && viewed.state()
                        .late()
                        .filter(late -> !late.returned() && late.pool().equals(pool))
                        .isPresent();
        if (goes) {
            postponed++;
        }
        return goes;
    }

    /**
     * Nobody gives back what a journal may have lost: a person decides. But what a gate let in, and nothing else was done to, is known to
     * no journal until it is handed over, and its fence says all that it takes.
     */
    private void unknown(String id, Fence fence, Reading.Read read, Passed passed) {
        if (!unknownFences.add(id)) {
            return;
        }
        switch (fence.phase()) {
            case RESERVED -> unknownReserved += fence.left();
            case CONFIRMED -> unknownSold += fence.left();
            case CANCELED, REFUNDED, REJECTED -> {}
        }
        boolean byGate = sale.isPresent() && AdmittedFence.admission(fence).isPresent();
        letIn += byGate ? 1 : 0;
        if (isYoung(fence)) {
            // Of a group of lines one holds for all, and the others may be about to be journaled.
            postponed++;
            return;
        }
        add(new Finding(
                id,
                FindingType.FENCE_UNKNOWN,
                byGate ? FindingClass.REPAIR : FindingClass.MANUAL,
                new Evidence(
                        byGate ? "no journal of it in this pool; its gate let it in" : "no journal of it in this pool",
                        FenceRule.text(fence),
                        0,
                        read.books().epoch(),
                        read.books().version(),
                        passed.position())));
    }

    private boolean isYoung(Fence fence) {
        return fence.operations().values().stream()
                .anyMatch(operation -> operation.at().isAfter(watermark));
    }

    private List<String> unknown(List<String> reservations) throws SQLException {
        Map<String, Viewed> shown = sides.journals().byId(reservations);
        return reservations.stream()
                .distinct()
                .filter(id -> {
                    Viewed viewed = shown.get(id);
                    return viewed == null || !isOfThisPool(viewed);
                })
                .toList();
    }

    /** @param known whether what is held and sold is known for sure, and not only what it must add up to */
    private void differ(boolean known) {
        Numbers seen = numbers.orElseThrow();
        Books expected = seen.expected();
        Books actual = seen.actual();
        boolean explained = actual.balanced()
                && actual.total() == expected.total()
                && actual.reserved() == expected.reserved() + unknownReserved
                && actual.sold() == expected.sold() + unknownSold
                && unknownReserved + unknownSold > 0;
        if (!explained) {
            add(new Finding(
                    pool.value(),
                    FindingType.NUMBERS_DIFFER,
                    known || worst == FindingClass.MANUAL ? worst : FindingClass.WAIT,
                    new Evidence(
                            text(expected),
                            text(actual),
                            seen.sequenceNumber(),
                            actual.epoch(),
                            actual.version(),
                            seen.position())));
        }
        conclude(Drift.of(expected, actual), Optional.empty());
    }

    /** Numbers in words. */
    static String text(Books books) {
        return "total " + books.total() + ", deficit " + books.deficit() + ", available " + books.available()
                + ", reserved " + books.reserved() + ", sold " + books.sold();
    }

    private void conclude(Drift drift, Optional<Books> proved) {
        end(
                found > 0
                        ? new PoolOutcome.Differs(drift)
                        : new PoolOutcome.Consistent(new Proof(
                                watermark, proved, proof.map(Proof::fullAt).orElse(now))));
    }

    private void end(PoolOutcome how) {
        outcome = how;
        stage = Stage.DONE;
    }

    private void add(Finding finding) {
        found++;
        if (finding.kind().compareTo(worst) > 0) {
            worst = finding.kind();
        }
        fresh.add(finding);
        sides.listener().found(pool.value(), finding);
    }
}
