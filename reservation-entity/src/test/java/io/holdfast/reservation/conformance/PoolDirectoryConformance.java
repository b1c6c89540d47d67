package io.holdfast.reservation.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.port.PoolDirectory;
import io.holdfast.reservation.port.PoolStanding;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What whoever asks Redis for a pool relies on, whoever says where pools stand. */
@DisplayNameGeneration(ReplaceUnderscores.class)
public abstract class PoolDirectoryConformance {

    protected static final PoolId SOUP = PoolId.parse("m-1:soup:2026-07-25");
    private static final PoolId BREAD = PoolId.parse("m-1:bread:2026-07-25");
    private static final PoolStanding SERVING = new PoolStanding.Serving(1);
    protected static final Books BOOKS = Books.expected(1, 7, 10, 0, 6);
    private static final String EVIDENCE = "MISSING: a fence";

    /** The port under test. */
    protected abstract PoolDirectory directory();

    /** Where the directory says that the pool stands, when it has said so. */
    protected abstract Outcome<PoolStanding> asked(PoolId pool);

    /** Makes it so that the pool stands so; the directory is not told. */
    protected abstract void stands(PoolId pool, PoolStanding standing);

    /** Makes it so that no pool can be asked anything. */
    protected abstract void nobodyAnswers();

    /** What the pool was told to be suspected for. */
    protected abstract List<String> told(PoolId pool);

    static Stream<PoolStanding> standings() {
        return Stream.of(
                SERVING,
                new PoolStanding.NotReady(),
                new PoolStanding.Suspect("another process"),
                new PoolStanding.Rebuilding("a rebuild was asked for"),
                new PoolStanding.Archived(BOOKS),
                new PoolStanding.Unknown());
    }

    @ParameterizedTest
    @MethodSource("standings")
    void a_pool_stands_where_it_stands(PoolStanding standing) {
        stands(SOUP, standing);
        assertThat(asked(SOUP)).isEqualTo(Outcome.known(standing));
        assertThat(asked(SOUP)).as("asked again").isEqualTo(Outcome.known(standing));
    }

    @Test
    void what_is_forgotten_is_known_anew() {
        assertThat(asked(SOUP)).isEqualTo(Outcome.known(new PoolStanding.Unknown()));
        stands(SOUP, SERVING);
        directory().forget(SOUP);
        assertThat(asked(SOUP)).isEqualTo(Outcome.known(SERVING));
    }

    @Test
    void a_suspected_pool_is_turned_away_at_once_and_told() {
        stands(SOUP, SERVING);
        assertThat(asked(SOUP)).isEqualTo(Outcome.known(SERVING));
        directory().suspect(SOUP, 1, EVIDENCE);
        assertThat(asked(SOUP)).isEqualTo(Outcome.known(new PoolStanding.Suspect(EVIDENCE)));
        assertThat(told(SOUP)).containsExactly(EVIDENCE);
    }

    @Test
    void what_was_seen_under_an_earlier_epoch_than_the_pools_changes_nothing() {
        stands(SOUP, SERVING);
        assertThat(asked(SOUP)).isEqualTo(Outcome.known(SERVING));
        directory().suspect(SOUP, 0, EVIDENCE);
        assertThat(asked(SOUP)).isEqualTo(Outcome.known(SERVING));

        directory().forget(SOUP);
        directory().suspect(SOUP, 0, EVIDENCE);
        assertThat(told(SOUP)).isEmpty();
        assertThat(asked(SOUP)).as("when the pool has answered").isEqualTo(Outcome.known(SERVING));
    }

    @Test
    void a_pool_that_nobody_asked_about_before_can_be_suspected() {
        stands(SOUP, SERVING);
        directory().suspect(SOUP, 1, EVIDENCE);
        assertThat(asked(SOUP)).isEqualTo(Outcome.known(new PoolStanding.Suspect(EVIDENCE)));
    }

    @Test
    void other_pools_are_not_suspected_with_it() {
        stands(SOUP, SERVING);
        stands(BREAD, SERVING);
        directory().suspect(SOUP, 1, EVIDENCE);
        assertThat(asked(BREAD)).isEqualTo(Outcome.known(SERVING));
        assertThat(told(BREAD)).isEmpty();
    }

    @Test
    void a_pool_that_can_not_be_asked_is_not_known_to_stand_anywhere() {
        nobodyAnswers();
        assertThat(asked(SOUP)).isInstanceOfAny(Outcome.Unknown.class, Outcome.Unavailable.class);
    }
}
