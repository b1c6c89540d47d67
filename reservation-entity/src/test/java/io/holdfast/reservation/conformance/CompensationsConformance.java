package io.holdfast.reservation.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.ConfirmRequest;
import io.holdfast.lua.LookReply;
import io.holdfast.lua.LookRequest;
import io.holdfast.lua.PoolInitRequest;
import io.holdfast.lua.StockScripts;
import io.holdfast.lua.TryRequest;
import io.holdfast.lua.model.RedisModel;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.PoolEpoch;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Refund;
import io.holdfast.reservation.domain.ReservationEffect.RefundHold;
import io.holdfast.reservation.domain.ReservationEffect.ReleaseHold;
import io.holdfast.reservation.port.CompensationAnswer;
import io.holdfast.reservation.port.CompensationAnswer.Contradicted;
import io.holdfast.reservation.port.CompensationAnswer.LoadedAnew;
import io.holdfast.reservation.port.CompensationAnswer.Refunded;
import io.holdfast.reservation.port.CompensationAnswer.Released;
import io.holdfast.reservation.port.Compensations;
import io.holdfast.reservation.port.PoolDirectory;
import io.holdfast.reservation.port.PoolStanding;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** What a reservation relies on when it owes stock, whoever gives it back. The scripts are the real ones. */
@DisplayNameGeneration(ReplaceUnderscores.class)
public abstract class CompensationsConformance {

    private static final PoolId POOL = PoolId.parse("m-1:soup:2026-07-25");
    private static final Instant NOW = Instant.parse("2026-07-25T12:30:00Z");
    private static final String ID = "r-1";
    private static final ReleaseHold RELEASE =
            new ReleaseHold(ID, POOL, 5, 0, 1, EffectPolicies.standard().script());

    private final RedisModel redis = new RedisModel();
    private final KnownPools pools = KnownPools.of(POOL, new PoolStanding.Serving(1));

    /** The port under test, over these scripts and what is known of pools. */
    protected abstract Compensations over(StockScripts scripts, PoolDirectory directory);

    @AfterEach
    void close() {
        redis.close();
    }

    private static RefundHold refund(String id, long quantity, boolean restock) {
        return new RefundHold(
                ID,
                POOL,
                new Refund(id, quantity, restock),
                0,
                1,
                EffectPolicies.standard().script());
    }

    private Outcome<CompensationAnswer> ask(ReleaseHold release) {
        return over(redis, pools).release(release).toCompletableFuture().join();
    }

    private Outcome<CompensationAnswer> ask(RefundHold refund) {
        return over(redis, pools).refund(refund).toCompletableFuture().join();
    }

    /** 5 of 10 units held. */
    private void held() {
        redis.poolInit(new PoolInitRequest(POOL.value(), 1, "INIT:k", 10, NOW));
        redis.tryHold(new TryRequest(POOL.value(), 1, ID, 5, NOW));
    }

    private void sold() {
        held();
        redis.confirm(new ConfirmRequest(POOL.value(), 1, ID, 5, NOW));
    }

    private void has(long available, long reserved, long sold) {
        var seen = redis.look(new LookRequest(POOL.value(), ID))
                .toCompletableFuture()
                .join();
        assertThat(seen).isInstanceOf(Outcome.Known.class);
        var books = ((LookReply.Seen) ((Outcome.Known<LookReply>) seen).value()).books();
        assertThat(books)
                .extracting(b -> b.available(), b -> b.reserved(), b -> b.sold())
                .containsExactly(available, reserved, sold);
    }

    private static Books after(long version, long reserved, long sold) {
        return Books.expected(1, version, 10, reserved, sold);
    }

    @Test
    void a_hold_goes_back_once_and_a_repeat_hears_the_same() {
        held();
        Outcome<CompensationAnswer> first = ask(RELEASE);
        assertThat(first).isEqualTo(Outcome.known(new Released(5, after(3, 0, 0))));
        assertThat(ask(RELEASE)).isEqualTo(first);
        has(10, 0, 0);
    }

    @Test
    void a_refund_happens_once_and_a_repeat_hears_the_same_whatever_happened_since() {
        sold();
        Outcome<CompensationAnswer> first = ask(refund("f-1", 2, true));
        assertThat(first).isEqualTo(Outcome.known(new Refunded(after(4, 0, 3))));
        assertThat(ask(refund("f-2", 1, true))).isEqualTo(Outcome.known(new Refunded(after(5, 0, 2))));
        assertThat(ask(refund("f-1", 2, true))).isEqualTo(first);
        has(8, 0, 2);
    }

    @Test
    void of_a_pool_loaded_anew_nothing_is_asked_before_the_journal_has_its_epoch() {
        held();
        pools.stands(POOL, new PoolStanding.Serving(2));
        assertThat(ask(RELEASE)).isEqualTo(Outcome.known(new LoadedAnew(new PoolEpoch(POOL, 2))));
        assertThat(ask(refund("f-1", 2, true))).isEqualTo(Outcome.known(new LoadedAnew(new PoolEpoch(POOL, 2))));
        has(5, 5, 0);
        assertThat(pools.told(POOL)).isEmpty();
    }

    @Test
    void nothing_is_asked_by_a_node_that_knows_less_of_the_pool_than_the_journal() {
        held();
        ReleaseHold later =
                new ReleaseHold(ID, POOL, 5, 0, 2, EffectPolicies.standard().script());
        assertThat(ask(later)).isInstanceOf(Outcome.Unavailable.class);
        has(5, 5, 0);
        assertThat(pools.forgotten(POOL)).isEqualTo(1);
        assertThat(pools.told(POOL)).isEmpty();
    }

    @Test
    void goods_that_do_not_come_back_stay_sold() {
        sold();
        assertThat(ask(refund("f-1", 2, false))).isEqualTo(Outcome.known(new Refunded(after(3, 0, 5))));
        has(5, 0, 5);
    }

    @Test
    void units_of_an_order_that_is_not_confirmed_yet_are_given_back_from_the_hold() {
        held();
        assertThat(ask(refund("f-1", 2, true))).isEqualTo(Outcome.known(new Refunded(after(3, 3, 0))));
        has(7, 3, 0);
    }

    @Test
    void what_contradicts_the_journal_is_said_and_moves_nothing() {
        sold();
        assertThat(ask(RELEASE)).as("a sold hold").satisfies(CompensationsConformance::contradicted);
        assertThat(ask(refund("f-1", 6, true)))
                .as("more than was sold")
                .satisfies(CompensationsConformance::contradicted);
        ask(refund("f-2", 2, true));
        assertThat(ask(refund("f-2", 3, true)))
                .as("one refund with two contents")
                .satisfies(CompensationsConformance::contradicted);
        assertThat(pools.told(POOL)).isEmpty();
        has(7, 0, 3);
    }

    private static void contradicted(Outcome<CompensationAnswer> outcome) {
        assertThat(outcome).isInstanceOf(Outcome.Known.class);
        assertThat(((Outcome.Known<CompensationAnswer>) outcome).value()).isInstanceOf(Contradicted.class);
    }

    @Test
    void a_hold_that_redis_lost_is_never_taken_for_nothing_held_and_its_pool_is_suspected() {
        redis.poolInit(new PoolInitRequest(POOL.value(), 1, "INIT:k", 10, NOW));
        assertThat(ask(RELEASE)).isInstanceOf(Outcome.Unavailable.class);
        assertThat(pools.told(POOL)).hasSize(1);
        pools.stands(POOL, new PoolStanding.Serving(1));
        assertThat(ask(refund("f-1", 2, true))).isInstanceOf(Outcome.Unavailable.class);
        assertThat(pools.told(POOL)).hasSize(2);
        has(10, 0, 0);
    }

    @Test
    void a_pool_that_does_not_serve_gives_nothing_back_until_it_does() {
        held();
        pools.stands(POOL, new PoolStanding.Suspect("another process"));
        assertThat(ask(RELEASE)).isInstanceOf(Outcome.Unavailable.class);
        assertThat(ask(refund("f-1", 2, true))).isInstanceOf(Outcome.Unavailable.class);
        has(5, 5, 0);
        pools.stands(POOL, new PoolStanding.Serving(1));
        assertThat(ask(RELEASE)).isEqualTo(Outcome.known(new Released(5, after(3, 0, 0))));
    }

    @Test
    void an_answer_that_is_lost_stays_unknown_and_is_heard_when_asked_again() {
        held();
        assertThat(over(losingAnswers(), pools)
                        .release(RELEASE)
                        .toCompletableFuture()
                        .join())
                .isInstanceOf(Outcome.Unknown.class);
        has(10, 0, 0);
        assertThat(ask(RELEASE)).isEqualTo(Outcome.known(new Released(5, after(3, 0, 0))));
    }

    /** The scripts run, and nobody hears what they said. */
    private StockScripts losingAnswers() {
        return (StockScripts) Proxy.newProxyInstance(
                StockScripts.class.getClassLoader(), new Class<?>[] {StockScripts.class}, (_, method, arguments) -> {
                    ((CompletionStage<?>) method.invoke(redis, arguments))
                            .toCompletableFuture()
                            .join();
                    return CompletableFuture.completedFuture(Outcome.unknown("the answer was lost"));
                });
    }
}
