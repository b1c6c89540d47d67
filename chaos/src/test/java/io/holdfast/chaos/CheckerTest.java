package io.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.holdfast.chaos.Op.Kind;
import io.holdfast.chaos.Op.Told;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Histories and pictures made by hand: what is so is believed, and everything that must not be is noticed. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class CheckerTest {

    private static final String POOL = "m1:soup";
    private static final String SALE = "spring:shoe";
    private static final Injection FLUSH = new Injection(50, 60, "Redis flushed", "", true, false);
    private static final Injection KILL = new Injection(50, 60, "node killed", "node 1", false, false);

    // ---- histories

    private static Op op(long from, long to, Kind kind, String id, long units, String key, Told told, long sequence) {
        String pool = kind == Kind.ADMIT ? SALE : POOL;
        return new Op(from, to, kind, id, pool, units, key, told, "", sequence, "");
    }

    private static Op done(long from, Kind kind, String id, long units) {
        return op(from, from + 5, kind, id, units, "", Told.DONE, -1);
    }

    private static Op told(long from, Kind kind, String id, long units, Told told) {
        return op(from, from + 5, kind, id, units, "", told, -1);
    }

    private static Op refund(long from, String id, long units, String refund) {
        return op(from, from + 5, Kind.REFUND, id, units, refund, Told.DONE, -1);
    }

    private static Op read(long from, long to, String id, long sequence) {
        return op(from, to, Kind.READ, id, 0, "", Told.DONE, sequence);
    }

    private static Op soldOut(long from, String id) {
        return new Op(from, from + 5, Kind.HOLD, id, POOL, 1, "", Told.REFUSED, "", 3, "SOLD_OUT");
    }

    private static List<Op> ops(Op... ops) {
        return Arrays.asList(ops);
    }

    // ---- pictures

    private static Picture.Hold hold(String status, long held, long reserved, long sold) {
        return new Picture.Hold(POOL, status, 5, held, reserved, sold, Map.of(), false);
    }

    private static Picture.Hold refunded(String status, long held, long sold, Map<String, Long> refunds) {
        return new Picture.Hold(POOL, status, 5, held, 0, sold, refunds, false);
    }

    private static Picture.Hold ofSale(String status, long held, long sold, boolean lost) {
        return new Picture.Hold(SALE, status, 5, held, 0, sold, Map.of(), lost);
    }

    /** A picture in which every store has what the holds add up to. */
    private static Picture picture(long total, Map<String, Picture.Hold> holds) {
        return new Picture(Map.of(POOL, pool(total, holds)), holds, List.of(), Map.of(), List.of());
    }

    private static Picture.Pool pool(long total, Map<String, Picture.Hold> holds) {
        Picture.Numbers numbers = numbers(total, holds, POOL);
        return new Picture.Pool(total, numbers, numbers, -1);
    }

    private static Picture.Numbers numbers(long total, Map<String, Picture.Hold> holds, String pool) {
        List<Picture.Hold> mine =
                holds.values().stream().filter(one -> one.pool().equals(pool)).toList();
        long reserved = mine.stream().mapToLong(Picture.Hold::reserved).sum();
        long sold = mine.stream().mapToLong(Picture.Hold::sold).sum();
        long available = Math.max(0, total - reserved - sold);
        return new Picture.Numbers(total, available + reserved + sold - total, available, reserved, sold);
    }

    private static Picture sale(Picture.Order order, Picture.Hold hold, Picture.Payment... payments) {
        Map<String, Picture.Hold> holds = Map.of("s", hold);
        Picture.Numbers numbers = numbers(10, holds, SALE);
        return new Picture(
                Map.of(SALE, new Picture.Pool(10, numbers, numbers, hold.sold())),
                holds,
                List.of(),
                Map.of("s", order),
                List.of(payments));
    }

    private static List<String> claims(List<Op> ops, Picture picture, Injection... injections) {
        return Checker.check(ops, List.of(injections), picture).stream()
                .map(Violation::claim)
                .distinct()
                .toList();
    }

    // ---- what is as it should be

    static List<Arguments> right() {
        return List.of(
                arguments("nothing happened", ops(), picture(5, Map.of())),
                arguments(
                        "held and left",
                        ops(done(1, Kind.HOLD, "a", 2)),
                        picture(5, Map.of("a", hold("RESERVED", 2, 2, 0)))),
                arguments(
                        "held, confirmed, and a unit given back",
                        ops(done(1, Kind.HOLD, "a", 2), done(10, Kind.CONFIRM, "a", 2), refund(20, "a", 1, "r")),
                        picture(5, Map.of("a", refunded("CONFIRMED", 2, 1, Map.of("r", 1L))))),
                arguments(
                        "sold twice, one after the other",
                        ops(done(1, Kind.HOLD, "a", 5), done(10, Kind.CANCEL, "a", 5), done(20, Kind.HOLD, "b", 5)),
                        picture(5, Map.of("a", hold("CANCELED", 5, 0, 0), "b", hold("RESERVED", 5, 5, 0)))),
                arguments(
                        "nobody knows whether it was held, and it was",
                        ops(told(1, Kind.HOLD, "a", 2, Told.UNKNOWN)),
                        picture(5, Map.of("a", hold("RESERVED", 2, 2, 0)))),
                arguments(
                        "nobody knows whether it was held, and it was not",
                        ops(told(1, Kind.HOLD, "a", 2, Told.UNKNOWN)),
                        picture(5, Map.of())),
                arguments(
                        "a confirm and a cancel at once, of which one won",
                        ops(
                                done(1, Kind.HOLD, "a", 2),
                                done(10, Kind.CONFIRM, "a", 2),
                                told(10, Kind.CANCEL, "a", 2, Told.REFUSED)),
                        picture(5, Map.of("a", hold("CONFIRMED", 2, 0, 2)))),
                arguments(
                        "cancelled after it had been turned away",
                        ops(told(1, Kind.HOLD, "a", 2, Told.OPEN), done(10, Kind.CANCEL, "a", 2)),
                        picture(5, Map.of("a", hold("REJECTED", 0, 0, 0)))),
                arguments(
                        "told over Kafka",
                        ops(done(1, Kind.HOLD, "a", 2), done(10, Kind.TELL_CREATED, "a", 0)),
                        picture(5, Map.of("a", hold("CONFIRMED", 2, 0, 2)))),
                arguments(
                        "sold out",
                        ops(done(1, Kind.HOLD, "a", 5), soldOut(10, "b")),
                        picture(5, Map.of("a", hold("RESERVED", 5, 5, 0), "b", hold("REJECTED", 0, 0, 0)))),
                arguments(
                        "sold out for one of two who asked at once, and a unit that came back for the other",
                        ops(
                                new Op(
                                        1,
                                        5,
                                        Kind.HOLD,
                                        "a",
                                        POOL,
                                        1,
                                        "",
                                        Told.REFUSED,
                                        "",
                                        -1,
                                        "SOLD_OUT, not recorded"),
                                done(2, Kind.HOLD, "a", 1)),
                        picture(5, Map.of("a", hold("RESERVED", 1, 1, 0)))),
                arguments(
                        "reads at once, of which the later to end saw less",
                        ops(done(1, Kind.HOLD, "a", 2), read(10, 30, "a", 2), read(11, 20, "a", 3)),
                        picture(5, Map.of("a", hold("RESERVED", 2, 2, 0)))),
                arguments(
                        "an order that was paid",
                        ops(done(1, Kind.ADMIT, "s", 1)),
                        sale(
                                new Picture.Order("PAID", 1),
                                ofSale("CONFIRMED", 1, 1, false),
                                new Picture.Payment("p", "s", 500, 0),
                                new Picture.Payment("q", "s", 500, 500))),
                arguments(
                        "an order that was cancelled",
                        ops(done(1, Kind.ADMIT, "s", 1)),
                        sale(new Picture.Order("CANCELLED", 1), ofSale("REFUNDED", 1, 0, false))),
                arguments(
                        "a webhook that tells something twice",
                        ops(),
                        told(List.of(entry(3), entry(4), entry(5)), List.of(entry(3), entry(5), entry(3)))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("right")
    void what_is_as_it_was_told_is_believed(String name, List<Op> ops, Picture picture) {
        assertThat(Checker.check(ops, List.of(), picture)).as(name).isEmpty();
    }

    // ---- what must not be

    static List<Arguments> wrong() {
        Map<String, Picture.Hold> two = Map.of("a", hold("RESERVED", 3, 3, 0), "b", hold("RESERVED", 3, 3, 0));
        Map<String, Picture.Hold> one = Map.of("a", hold("RESERVED", 2, 2, 0));
        return List.of(
                arguments(
                        "never oversold",
                        "more held at once than there is, though one was given back later",
                        ops(done(1, Kind.HOLD, "a", 3), done(2, Kind.HOLD, "b", 3), done(20, Kind.CANCEL, "b", 3)),
                        picture(5, Map.of("a", hold("RESERVED", 3, 3, 0), "b", hold("CANCELED", 3, 0, 0)))),
                arguments(
                        "never oversold",
                        "more promised by the journals than there is",
                        ops(told(1, Kind.HOLD, "a", 3, Told.UNKNOWN), told(2, Kind.HOLD, "b", 3, Told.UNKNOWN)),
                        picture(5, two)),
                arguments(
                        "accepted holds are kept",
                        "a hold that no journal has",
                        ops(done(1, Kind.HOLD, "a", 2)),
                        picture(5, Map.of())),
                arguments(
                        "accepted holds are kept",
                        "a hold that was taken and never asked for again",
                        ops(told(1, Kind.HOLD, "a", 2, Told.OPEN)),
                        picture(5, Map.of())),
                arguments(
                        "accepted holds are kept",
                        "a hold of fewer units than were answered",
                        ops(done(1, Kind.HOLD, "a", 2)),
                        picture(5, Map.of("a", hold("RESERVED", 1, 1, 0)))),
                arguments(
                        "accepted holds are kept",
                        "a request that was let in, and Redis forgot nothing",
                        ops(done(1, Kind.ADMIT, "s", 1)),
                        picture(5, Map.of())),
                arguments(
                        "nothing happens by itself",
                        "a hold that was answered with: nothing was changed",
                        ops(told(1, Kind.HOLD, "a", 2, Told.NOT_TAKEN)),
                        picture(5, one)),
                arguments("nothing happens by itself", "a hold of nobody", ops(), picture(5, one)),
                arguments(
                        "nothing happens by itself",
                        "a hold that ended though nobody said so",
                        ops(done(1, Kind.HOLD, "a", 2)),
                        picture(5, Map.of("a", hold("CANCELED", 2, 0, 0)))),
                arguments(
                        "nothing happens by itself",
                        "a refund of nobody",
                        ops(done(1, Kind.HOLD, "a", 2), done(10, Kind.CONFIRM, "a", 2)),
                        picture(5, Map.of("a", refunded("CONFIRMED", 2, 1, Map.of("r", 1L))))),
                arguments(
                        "what was refused did nothing",
                        "a hold that was told sold out",
                        ops(soldOut(1, "a")),
                        picture(5, one)),
                arguments(
                        "what was done stays done",
                        "an order that was told over Kafka and never arrived",
                        ops(done(1, Kind.HOLD, "a", 2), done(10, Kind.TELL_CREATED, "a", 0)),
                        picture(5, one)),
                arguments(
                        "what was done stays done",
                        "a refund that was answered and is not there",
                        ops(done(1, Kind.HOLD, "a", 2), done(10, Kind.CONFIRM, "a", 2), refund(20, "a", 1, "r")),
                        picture(5, Map.of("a", hold("CONFIRMED", 2, 0, 2)))),
                arguments(
                        "an end is final",
                        "confirmed, and cancelled in the end",
                        ops(
                                done(1, Kind.HOLD, "a", 2),
                                done(10, Kind.CONFIRM, "a", 2),
                                told(10, Kind.CANCEL, "a", 2, Told.UNKNOWN)),
                        picture(5, Map.of("a", hold("CANCELED", 2, 0, 0)))),
                arguments(
                        "an end is final",
                        "a yes to a confirm and a yes to a cancel",
                        ops(done(1, Kind.HOLD, "a", 2), done(10, Kind.CONFIRM, "a", 2), done(10, Kind.CANCEL, "a", 2)),
                        picture(5, Map.of("a", hold("CONFIRMED", 2, 0, 2)))),
                arguments(
                        "everything comes to rest",
                        "a confirm that never ends",
                        ops(done(1, Kind.HOLD, "a", 2), told(10, Kind.CONFIRM, "a", 2, Told.OPEN)),
                        picture(5, Map.of("a", hold("CONFIRMING", 2, 2, 0)))),
                arguments(
                        "reads never go back",
                        "a read that shows less than one before it",
                        ops(done(1, Kind.HOLD, "a", 2), read(10, 20, "a", 4), read(21, 25, "a", 3)),
                        picture(5, one)),
                arguments(
                        "no double effect",
                        "one refund counted twice",
                        ops(done(1, Kind.HOLD, "a", 2), done(10, Kind.CONFIRM, "a", 2), refund(20, "a", 1, "r")),
                        picture(5, Map.of("a", refunded("CONFIRMED", 2, 2, Map.of("r", 1L))))),
                arguments(
                        "no double effect",
                        "one operation that moved the stock twice",
                        ops(done(1, Kind.HOLD, "a", 2)),
                        moved(one, new Picture.Move(POOL, 1, 2, "TRY a"), new Picture.Move(POOL, 1, 3, "TRY a"))),
                arguments(
                        "no double effect",
                        "one version of the stock made by two operations",
                        ops(done(1, Kind.HOLD, "a", 2)),
                        moved(one, new Picture.Move(POOL, 1, 2, "TRY a"), new Picture.Move(POOL, 1, 2, "TRY b"))),
                arguments(
                        "no double effect",
                        "an order that was paid twice",
                        ops(done(1, Kind.ADMIT, "s", 1)),
                        sale(
                                new Picture.Order("PAID", 1),
                                ofSale("CONFIRMED", 1, 1, false),
                                new Picture.Payment("p", "s", 500, 0),
                                new Picture.Payment("q", "s", 500, 0))),
                arguments(
                        "money is where it belongs",
                        "money of an order that was cancelled",
                        ops(done(1, Kind.ADMIT, "s", 1)),
                        sale(
                                new Picture.Order("CANCELLED", 1),
                                ofSale("REFUNDED", 1, 0, false),
                                new Picture.Payment("p", "s", 500, 0))),
                arguments(
                        "stores agree",
                        "an order that is paid and whose hold went back",
                        ops(done(1, Kind.ADMIT, "s", 1)),
                        sale(new Picture.Order("PAID", 1), ofSale("CANCELED", 1, 0, false))),
                arguments(
                        "stores agree",
                        "Redis that has less than the journals",
                        ops(done(1, Kind.HOLD, "a", 2)),
                        stores(one, numbers(5, Map.of(), POOL), numbers(5, one, POOL))),
                arguments(
                        "stores agree",
                        "a ledger that has less than Redis",
                        ops(done(1, Kind.HOLD, "a", 2)),
                        stores(one, numbers(5, one, POOL), numbers(5, Map.of(), POOL))),
                arguments(
                        "a request is let in under one id",
                        "an answer for another request",
                        ops(new Op(1, 2, Kind.ADMIT, "s", SALE, 1, "", Told.DONE, "QUEUED", -1, "answered for t")),
                        sale(new Picture.Order("PAID", 1), ofSale("CONFIRMED", 1, 1, false))),
                arguments(
                        "a stream tells everything once",
                        "an event that the stream left out",
                        ops(),
                        told(List.of(entry(3)), List.of(entry(3), entry(5)))),
                arguments(
                        "a stream tells everything once",
                        "an event that the stream told twice",
                        ops(),
                        told(List.of(entry(3), entry(3), entry(5)), List.of(entry(3), entry(5)))),
                arguments(
                        "what is told is told in order",
                        "a stream that tells the end before the beginning",
                        ops(),
                        told(List.of(entry(5), entry(3)), List.of(entry(3), entry(5)))),
                arguments(
                        "a webhook tells everything",
                        "an event whose delivery was never taken",
                        ops(),
                        told(List.of(entry(3), entry(5)), List.of(entry(5)))),
                arguments(
                        "what is told is told in order",
                        "a webhook that tells the end before the beginning",
                        ops(),
                        told(List.of(entry(3), entry(5)), List.of(entry(5), entry(3)))));
    }

    private static Picture told(List<String> streamed, List<String> called) {
        Map<String, Picture.Hold> none = Map.of();
        return new Picture(
                Map.of(POOL, pool(5, none)),
                none,
                List.of(),
                Map.of(),
                List.of(),
                new Announced(List.of(entry(3), entry(5)), streamed, called));
    }

    private static String entry(long sequence) {
        return Announced.id("a", sequence);
    }

    private static Picture moved(Map<String, Picture.Hold> holds, Picture.Move... moves) {
        return new Picture(Map.of(POOL, pool(5, holds)), holds, List.of(moves), Map.of(), List.of());
    }

    private static Picture stores(Map<String, Picture.Hold> holds, Picture.Numbers redis, Picture.Numbers ledger) {
        return new Picture(Map.of(POOL, new Picture.Pool(5, redis, ledger, -1)), holds, List.of(), Map.of(), List.of());
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("wrong")
    void what_must_not_be_is_noticed(String claim, String name, List<Op> ops, Picture picture) {
        assertThat(claims(ops, picture)).as(name).contains(claim);
    }

    @Test
    void a_request_that_was_let_in_may_be_lost_with_redis_alone() {
        List<Op> admitted = ops(done(1, Kind.ADMIT, "s", 1));
        Picture gone = picture(5, Map.of());
        assertThat(claims(admitted, gone, KILL)).contains("accepted holds are kept");
        assertThat(claims(admitted, gone, FLUSH)).isEmpty();
        assertThat(claims(ops(done(70, Kind.ADMIT, "s", 1)), gone, FLUSH)).contains("accepted holds are kept");
    }

    @Test
    void a_restart_of_nodes_one_by_one_may_leave_nobody_without_an_answer() {
        var roll = new Injection(10, 90, "nodes restarted one by one", "", false, true);
        Picture nothing = picture(5, Map.of());
        assertThat(claims(ops(told(20, Kind.HOLD, "a", 1, Told.NOT_TAKEN)), nothing, roll))
                .containsExactly("what is harmless disturbs nobody");
        assertThat(claims(ops(told(20, Kind.HOLD, "a", 1, Told.UNKNOWN)), nothing, roll))
                .containsExactly("what is harmless disturbs nobody");
        assertThat(claims(ops(told(95, Kind.HOLD, "a", 1, Told.NOT_TAKEN)), nothing, roll))
                .isEmpty();
        assertThat(claims(ops(soldOut(20, "a")), nothing, roll)).isEmpty();
    }
}
