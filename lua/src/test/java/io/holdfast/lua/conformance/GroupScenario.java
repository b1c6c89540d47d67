package io.holdfast.lua.conformance;

import static io.holdfast.lua.conformance.Scenario.known;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lua.OrderTryRequest;
import io.holdfast.lua.OrderTryRequest.Fate;
import io.holdfast.lua.script.PoolKeys;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Runs a table against several pools that share a tag. A line is {@code command arguments | expected}.
 *
 * <pre>
 * pool NAME TOTAL                    creates it (no expectation)
 * line RES POOL QUANTITY             is of the group from here on (no expectation)
 * ask RES OPEN|HELD|REJECTED [GROUP] the line asks
 * mend RES OPEN                      the same where the answer is a repeat, and something is mended besides
 * in POOL COMMAND ...                a line of {@link Scenario}
 * epoch POOL N                       of all following calls (no expectation)
 * drop RES                           its fence, behind the scripts' back (no expectation)
 * fences                             of all lines: phase and first answer
 * </pre>
 *
 * <p>Beyond what is expected, after every question: the same again, at a later time, changes nothing stored and gives the same answer;
 * what is refused changes nothing stored; the numbers of every pool add up; and what the pools have reserved is what the fences hold.
 */
public final class GroupScenario {

    private static final Instant START = Instant.parse("2026-11-29T10:00:00.123Z");

    private final ScriptsUnderTest subject;
    private final String merchant;
    private final Map<String, Long> epochs = new LinkedHashMap<>();
    private final Map<String, OrderTryRequest.Line> lines = new LinkedHashMap<>();
    private final Map<String, Scenario> scenarios = new LinkedHashMap<>();
    private long seconds;

    /** @param merchant of pools that nothing else uses; begins with "shared" where they share a tag */
    public GroupScenario(ScriptsUnderTest subject, String merchant) {
        this.subject = subject;
        this.merchant = merchant;
    }

    private String pool(String name) {
        return merchant + ":" + name + ":2026-11-29";
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
            case "pool" -> {
                String name = words.get(1);
                String total = words.get(2);
                scenarios.put(name, new Scenario(subject, pool(name)));
                epochs.put(name, 1L);
                in(name, "init i1 " + total + " | CREATED v1 " + total + "+0=" + total + "/0/0");
            }
            case "line" ->
                lines.put(
                        words.get(1),
                        new OrderTryRequest.Line(words.get(1), pool(words.get(2)), Long.parseLong(words.get(3))));
            case "epoch" -> {
                epochs.put(words.get(1), Long.parseLong(words.get(2)));
                in(words.get(1), "epoch " + words.get(2));
            }
            case "drop" -> subject.remove(fence(lines.get(words.get(1))));
            default -> {
                return false;
            }
        }
        return true;
    }

    private void in(String pool, String line) {
        scenarios.get(pool).run(line);
    }

    private void check(String line, List<String> words, String expected) {
        switch (words.get(0)) {
            case "in" -> in(words.get(1), String.join(" ", words.subList(2, words.size())) + " | " + expected);
            case "fences" -> assertThat(fences()).as(line).isEqualTo(expected);
            case "ask", "mend" -> {
                Map<String, Map<String, String>> before = stored();
                String answer = ask(words);
                assertThat(answer).as(line).isEqualTo(expected);
                Map<String, Map<String, String>> after = stored();
                boolean first = Set.of("HELD", "SHORT", "CLOSED", "PAUSED", "OTHER_LINE")
                                .contains(answer.split(" ")[0])
                        && !answer.contains(" again ");
                if (!first && words.get(0).equals("ask")) {
                    assertThat(after).as("what is stored after: " + line).isEqualTo(before);
                }
                epochs.keySet().forEach(pool -> assertAddsUp(line, pool));
                assertThat(ask(words))
                        .as("repeat of: " + line)
                        .isEqualTo(first ? answer.replaceFirst(" v(\\d+ \\d)", " again v$1") : answer);
                assertThat(stored())
                        .as("what is stored after the repeat of: " + line)
                        .isEqualTo(after);
            }
            default -> throw new IllegalArgumentException("no command " + words);
        }
    }

    private String ask(List<String> words) {
        Fate fate = Fate.valueOf(words.get(2));
        OrderTryRequest.Line own = lines.get(words.get(1));
        List<OrderTryRequest.Line> all = fate == Fate.OPEN ? List.copyOf(lines.values()) : List.of(own);
        List<OrderTryRequest.Pool> pools = epochs.entrySet().stream()
                .map(pool -> new OrderTryRequest.Pool(pool(pool.getKey()), pool.getValue()))
                .filter(pool -> all.stream().anyMatch(line -> line.pool().equals(pool.pool())))
                .toList();
        return Lines.of(known(subject.scripts()
                        .orderTry(new OrderTryRequest(
                                own.reservation(),
                                words.size() > 3 ? words.get(3) : "group",
                                fate,
                                pools,
                                all,
                                START.plusSeconds(seconds++)))))
                .replace(" " + merchant + ":", " ")
                .replace(":2026-11-29", "");
    }

    private String fences() {
        StringBuilder all = new StringBuilder();
        lines.values().forEach(line -> {
            Map<String, String> fence = subject.hash(fence(line));
            all.append(all.isEmpty() ? "" : ", ").append(line.reservation()).append(' ');
            all.append(
                    fence.isEmpty()
                            ? "none"
                            : fence.get("phase") + " "
                                    + fence.getOrDefault("try", "-").split(" ")[0]);
        });
        return all.toString();
    }

    private String fence(OrderTryRequest.Line line) {
        return PoolKeys.prefix(line.pool(), ScriptsUnderTest.tag(line.pool())) + ":r:" + line.reservation();
    }

    private Map<String, String> stock(String pool) {
        return subject.hash(PoolKeys.prefix(pool(pool), ScriptsUnderTest.tag(pool(pool))) + ":stock");
    }

    private Map<String, Map<String, String>> stored() {
        Map<String, Map<String, String>> stored = new LinkedHashMap<>();
        epochs.keySet().forEach(pool -> stored.put(pool, stock(pool)));
        lines.values().forEach(line -> stored.put(line.reservation(), subject.hash(fence(line))));
        return stored;
    }

    private void assertAddsUp(String line, String pool) {
        Map<String, String> stock = stock(pool);
        assertThat(number(stock, "total") + number(stock, "deficit"))
                .as("the sum of " + pool + " after: " + line)
                .isEqualTo(number(stock, "available") + number(stock, "reserved") + number(stock, "sold"));
    }

    private static long number(Map<String, String> hash, String field) {
        return Long.parseLong(hash.get(field));
    }
}
