package io.holdfast.compensation.entity;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.compensation.domain.Asked;
import io.holdfast.compensation.domain.CompensationCommand.FenceRead;
import io.holdfast.compensation.domain.Content;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.Books;
import io.holdfast.lua.Fence;
import io.holdfast.lua.GuardRefusal;
import io.holdfast.lua.LookReply;
import io.holdfast.lua.Phase;
import io.holdfast.lua.PoolStatus;
import io.holdfast.lua.StockScripts;
import io.holdfast.reservation.conformance.KnownPools;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.port.PoolStanding;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What was done is read once from the fence; what can't be believed is somebody's to look into. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class ReadBackTest {

    private static final Instant NOW = Instant.parse("2026-07-25T12:30:00Z");
    private static final Books BOOKS = new Books(1, 3, 10, 0, 10, 0, 0);
    private static final PoolId POOL = PoolId.parse("m-1:soup:2026-07-25");
    private static final String RESERVATION = "0123456789abcdef0123456789abcdef";
    private static final Content RELEASE = new Content.Release(RESERVATION, POOL, 5, true, false);
    private static final Asked ASKED = new Asked(0, 1);

    private final KnownPools directory = KnownPools.of(POOL, new PoolStanding.Serving(1));

    private Outcome<FenceRead> read(LookReply reply) {
        StockScripts scripts = (StockScripts) Proxy.newProxyInstance(
                StockScripts.class.getClassLoader(),
                new Class<?>[] {StockScripts.class},
                (_, _, _) -> CompletableFuture.completedFuture(Outcome.known(reply)));
        return new CompensationScripts(scripts, directory, InstantSource.fixed(NOW))
                .readBack(RELEASE, ASKED)
                .toCompletableFuture()
                .join();
    }

    private static LookReply seen(boolean trusted, Fence... fence) {
        return new LookReply.Seen(
                trusted, PoolStatus.OPEN, BOOKS, Stream.of(fence).findFirst());
    }

    private static Fence canceledBy(String operation) {
        return new Fence(
                Phase.CANCELED,
                5,
                0,
                0,
                0,
                Map.of("cancel", new Fence.Operation("RELEASED", BOOKS, NOW, List.of(operation))));
    }

    static Stream<Arguments> fences() {
        return Stream.of(
                Arguments.of(seen(true, canceledBy(RELEASE.key())), true),
                Arguments.of(seen(true, canceledBy("RELEASE:another")), false),
                Arguments.of(seen(true), false));
    }

    @ParameterizedTest
    @MethodSource("fences")
    void a_fence_shows_it_or_does_not(LookReply reply, boolean shown) {
        assertThat(read(reply))
                .isInstanceOfSatisfying(
                        Outcome.Known.class,
                        known -> assertThat(((FenceRead) known.value()).shown()).isEqualTo(shown));
        assertThat(directory.told(POOL)).isEmpty();
    }

    /** Nobody else may be asking anything of this pool: it would stay as it is, and the compensation would ask for ever. */
    @Test
    void a_pool_that_can_not_be_believed_is_made_suspect() {
        assertThat(read(seen(false, canceledBy(RELEASE.key())))).isInstanceOf(Outcome.Unavailable.class);

        assertThat(directory.told(POOL)).hasSize(1).allMatch(evidence -> evidence.startsWith("POOL_SUSPECT"));
    }

    @Test
    void a_pool_that_is_not_there_is_made_suspect_too() {
        assertThat(read(new GuardRefusal.PoolMissing())).isInstanceOf(Outcome.Unavailable.class);

        assertThat(directory.told(POOL)).hasSize(1);
    }
}
