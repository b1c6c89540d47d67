package io.holdfast.messaging.conformance;

import io.holdfast.messaging.out.MessageSink;
import io.holdfast.messaging.out.OutTopic;
import io.holdfast.messaging.out.OutgoingMessage;
import io.holdfast.testkit.suite.SuiteFailsOnNothing;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class SuiteFailsOnNothingTest {

    @Test
    void a_sink_that_says_that_all_is_well_and_sends_nothing_passes_no_test() {
        SuiteFailsOnNothing.check(NothingSent.class);
    }

    static class NothingSent extends MessageSinkConformance implements MessageSink {

        @Override
        protected MessageSink sink() {
            return this;
        }

        @Override
        protected int tooLong() {
            return 1;
        }

        @Override
        protected void awaitDone(CompletableFuture<Void> answer) {}

        @Override
        protected List<Arrived> arrived(OutTopic topic) {
            return List.of();
        }

        @Override
        public Run begin() {
            return new Run() {
                @Override
                public CompletableFuture<Void> send(OutgoingMessage message) {
                    return CompletableFuture.completedFuture(null);
                }

                @Override
                public void abandon() {}
            };
        }
    }
}
