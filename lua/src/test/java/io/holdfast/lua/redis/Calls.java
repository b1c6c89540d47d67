package io.holdfast.lua.redis;

import static io.holdfast.lua.conformance.Scenario.outcome;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.AdmitReply;
import io.holdfast.lua.AdmitRequest;
import io.holdfast.lua.Books;
import io.holdfast.lua.CancelReply;
import io.holdfast.lua.CancelRequest;
import io.holdfast.lua.ClaimDueReply;
import io.holdfast.lua.ClaimDueRequest;
import io.holdfast.lua.ConfirmReply;
import io.holdfast.lua.ConfirmRequest;
import io.holdfast.lua.HandedOffReply;
import io.holdfast.lua.HandedOffRequest;
import io.holdfast.lua.JournaledFence;
import io.holdfast.lua.LookReply;
import io.holdfast.lua.LookRequest;
import io.holdfast.lua.Phase;
import io.holdfast.lua.PoolAdjustReply;
import io.holdfast.lua.PoolAdjustRequest;
import io.holdfast.lua.PoolInitReply;
import io.holdfast.lua.PoolInitRequest;
import io.holdfast.lua.PoolRebuildBeginReply;
import io.holdfast.lua.PoolRebuildBeginRequest;
import io.holdfast.lua.PoolRebuildLoadReply;
import io.holdfast.lua.PoolRebuildLoadRequest;
import io.holdfast.lua.PoolRebuildOpenReply;
import io.holdfast.lua.PoolRebuildOpenRequest;
import io.holdfast.lua.PoolStatus;
import io.holdfast.lua.PoolStatusReply;
import io.holdfast.lua.PoolStatusRequest;
import io.holdfast.lua.PoolVerifyReply;
import io.holdfast.lua.PoolVerifyRequest;
import io.holdfast.lua.RefundReply;
import io.holdfast.lua.RefundRequest;
import io.holdfast.lua.Sale;
import io.holdfast.lua.StockScripts;
import io.holdfast.lua.TryReply;
import io.holdfast.lua.TryRequest;
import io.holdfast.lua.conformance.Lines;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.awaitility.Awaitility;

/** Calls on one pool, with their answers as lines: {@code UNKNOWN} and {@code UNAVAILABLE} for what is not known. */
final class Calls {

    private static final Instant NOW = Instant.parse("2026-11-29T10:00:00Z");

    private final StockScripts scripts;
    private final String pool;
    private final Optional<Sale> sale;

    Calls(StockScripts scripts, String pool) {
        this(scripts, pool, Optional.empty());
    }

    private Calls(StockScripts scripts, String pool, Optional<Sale> sale) {
        this.scripts = scripts;
        this.pool = pool;
        this.sale = sale;
    }

    /** Of a pool with a gate, open now, of which a user may hold so many units. */
    static Calls gated(StockScripts scripts, String pool, long limit) {
        return new Calls(scripts, pool, Optional.of(new Sale(limit, NOW, NOW.plusSeconds(60))));
    }

    CompletionStage<Outcome<AdmitReply>> admitting(String reservation, String user, String request, long quantity) {
        return scripts.admit(new AdmitRequest(
                pool, 1, reservation, user, request, quantity, NOW.plusSeconds(300), NOW.plusSeconds(5), NOW));
    }

    String admit(String reservation, String user, String request, long quantity) {
        return line(admitting(reservation, user, request, quantity), (AdmitReply r) -> Lines.of(r));
    }

    String claim(long dueBySeconds, long leaseSeconds, long most) {
        return line(
                scripts.claimDue(new ClaimDueRequest(
                        pool, NOW.plusSeconds(dueBySeconds), NOW.plusSeconds(leaseSeconds), most, NOW)),
                (ClaimDueReply r) -> Lines.of(r));
    }

    String handedOff(String reservation) {
        return line(
                scripts.handedOff(new HandedOffRequest(pool, 1, reservation, NOW)), (HandedOffReply r) -> Lines.of(r));
    }

    CompletionStage<Outcome<TryReply>> trying(String reservation, long quantity) {
        return scripts.tryHold(new TryRequest(pool, 1, reservation, quantity, NOW));
    }

    String init(long total) {
        return line(
                scripts.poolInit(new PoolInitRequest(pool, 1, "init", total, sale, NOW)),
                (PoolInitReply r) -> Lines.of(r));
    }

    String hold(String reservation, long quantity) {
        return line(trying(reservation, quantity), (TryReply r) -> Lines.of(r));
    }

    String confirm(String reservation, long quantity) {
        return line(
                scripts.confirm(new ConfirmRequest(pool, 1, reservation, quantity, sale.isPresent(), NOW)),
                (ConfirmReply r) -> Lines.of(r));
    }

    String cancel(String reservation, long quantity, boolean expectHeld) {
        return line(
                scripts.cancel(new CancelRequest(
                        pool, 1, reservation, "RELEASE:" + reservation, quantity, expectHeld, sale.isPresent(), NOW)),
                (CancelReply r) -> Lines.of(r));
    }

    String refund(String reservation, String refund, long quantity) {
        return refund(reservation, refund, quantity, true);
    }

    String refund(String reservation, String refund, long quantity, boolean restock) {
        String operation = "REFUND:" + reservation + ":" + refund;
        return line(
                scripts.refund(new RefundRequest(
                        pool, 1, reservation, operation, refund, quantity, restock, sale.isPresent(), NOW)),
                (RefundReply r) -> Lines.of(r));
    }

    String adjust(String operation, long total, long baseline) {
        return line(
                scripts.poolAdjust(new PoolAdjustRequest(pool, 1, operation, total, baseline, NOW)),
                (PoolAdjustReply r) -> Lines.of(r));
    }

    String status(String operation, PoolStatus target) {
        return line(
                scripts.poolStatus(new PoolStatusRequest(pool, 1, operation, target, NOW)),
                (PoolStatusReply r) -> Lines.of(r));
    }

    /** Freezes the pool and compares it as it was then. */
    String verify(String operation, long total, long available, long reserved, long sold) {
        Outcome<PoolStatusReply> frozen =
                outcome(scripts.poolStatus(new PoolStatusRequest(pool, 1, operation, PoolStatus.SUSPECT, NOW)));
        return frozen instanceof Outcome.Known<PoolStatusReply>(PoolStatusReply.Changed changed)
                ? verify(operation, changed.books().version(), total, available, reserved, sold)
                : line(frozen, (PoolStatusReply r) -> Lines.of(r));
    }

    /** Without a freeze. */
    String verify(String operation, long version, long total, long available, long reserved, long sold) {
        return line(
                scripts.poolVerify(new PoolVerifyRequest(
                        pool, 1, operation, version, total, 0, available, reserved, sold, PoolStatus.OPEN, NOW)),
                (PoolVerifyReply r) -> Lines.of(r));
    }

    String beginRebuild(String operation, long epoch) {
        return line(
                scripts.poolRebuildBegin(new PoolRebuildBeginRequest(pool, epoch, operation, NOW)),
                (PoolRebuildBeginReply r) -> Lines.of(r));
    }

    /** One held unit for each of these reservations. */
    String load(String operation, long epoch, long chunk, List<String> reservations) {
        Books then = new Books(1, 1, 1, 0, 0, 1, 0);
        return line(
                scripts.poolRebuildLoad(new PoolRebuildLoadRequest(
                        pool,
                        epoch,
                        operation,
                        chunk,
                        reservations.stream()
                                .map(r -> new JournaledFence(r, Phase.RESERVED, 1, 0, 0, 0, then, then, List.of()))
                                .toList(),
                        NOW)),
                (PoolRebuildLoadReply r) -> Lines.of(r));
    }

    String openRebuilt(String operation, long epoch, long chunks, long reserved, long available) {
        return line(
                scripts.poolRebuildOpen(new PoolRebuildOpenRequest(
                        pool,
                        epoch,
                        operation,
                        chunks,
                        reserved,
                        0,
                        9,
                        reserved + available,
                        0,
                        available,
                        reserved,
                        0,
                        1,
                        PoolStatus.OPEN,
                        sale,
                        NOW)),
                (PoolRebuildOpenReply r) -> Lines.of(r));
    }

    String look(String reservation) {
        return line(scripts.look(new LookRequest(pool, reservation)), (LookReply r) -> Lines.of(r));
    }

    private static <T> String line(CompletionStage<Outcome<T>> stage, Function<T, String> line) {
        return line(outcome(stage), line);
    }

    static String admitLine(Outcome<AdmitReply> outcome) {
        return line(outcome, (AdmitReply r) -> Lines.of(r));
    }

    static String line(Outcome<TryReply> outcome) {
        return line(outcome, (TryReply r) -> Lines.of(r));
    }

    private static <T> String line(Outcome<T> outcome, Function<T, String> line) {
        return switch (outcome) {
            case Outcome.Known<T>(T value) -> line.apply(value);
            case Outcome.Unknown<T>(String why) -> "UNKNOWN " + why;
            case Outcome.Unavailable<T>(String why) -> "UNAVAILABLE " + why;
        };
    }

    /** Asks again until the answer is known, as the effect supervisor would. */
    static String untilKnown(Supplier<String> call) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(20))
                .until(call::get, line -> !line.startsWith("UN"));
    }

    /** Asks until an answer begins so. */
    static void untilAnswered(Supplier<String> call, String beginning) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(20))
                .until(call::get, line -> line.startsWith(beginning));
    }

    /** Waits until Redis can be used, without calling a script. */
    static void untilUsable(RedisStockScripts scripts) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(20))
                .untilAsserted(() ->
                        assertThat(scripts.check().toCompletableFuture().join()).isEqualTo(new RedisState.Usable()));
    }
}
