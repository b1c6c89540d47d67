package io.holdfast.testkit.projection;

import io.holdfast.engine.projection.JournalPosition;
import io.holdfast.engine.projection.Passage;
import io.holdfast.engine.projection.ProjectionProgress;
import io.holdfast.testkit.suite.SuiteFailsOnNothing;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ProjectionProgressSuiteTest {

    @Test
    void every_test_of_the_suite_fails_on_a_projection_that_claims_to_have_passed_and_shows_nothing() {
        SuiteFailsOnNothing.check(OverNothing.class);
    }

    @Test
    void every_test_of_the_suite_fails_on_a_projection_that_never_comes_anywhere() {
        SuiteFailsOnNothing.check(OverStandstill.class);
    }

    static class OverNothing extends ProjectionProgressConformance {

        Passage answer() {
            return new Passage.Passed(List.of(), 0);
        }

        @Override
        protected ProjectionProgress progress() {
            return new ProjectionProgress() {
                @Override
                public CompletionStage<JournalPosition> position() {
                    return CompletableFuture.completedFuture(new JournalPosition(0));
                }

                @Override
                public CompletionStage<Passage> awaitPassed(JournalPosition position, Duration patience) {
                    return CompletableFuture.completedFuture(answer());
                }
            };
        }

        @Override
        protected void journal() {}

        @Override
        protected int shown() {
            return 0;
        }

        @Override
        protected void holdUp() {}

        @Override
        protected void letGo() {}

        @Override
        protected <T> T await(CompletionStage<T> stage) {
            return stage.toCompletableFuture().join();
        }
    }

    static class OverStandstill extends OverNothing {

        @Override
        Passage answer() {
            return new Passage.NotYet(new JournalPosition(0), "it stands still");
        }
    }
}
