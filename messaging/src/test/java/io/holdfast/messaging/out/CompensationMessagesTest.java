package io.holdfast.messaging.out;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.compensation.domain.Asked;
import io.holdfast.compensation.domain.Compensation;
import io.holdfast.compensation.domain.CompensationEvent;
import io.holdfast.compensation.domain.Content;
import io.holdfast.compensation.domain.Evidence;
import io.holdfast.compensation.domain.Resolution;
import io.holdfast.compensation.domain.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** That a compensation waits for a person is pushed, and that it does not any more; its other steps are nobody's business. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class CompensationMessagesTest {

    private static final String KEY = "RELEASE:" + Life.ID;
    private static final Statement BY = Statement.of("ann", "the goods went out", "INC-7");

    private static Life<Compensation, CompensationEvent> manual() {
        return Life.compensation(KEY)
                .then(new CompensationEvent.CompensationRequested(
                        new Content.Release(Life.ID, Life.POOL, 5, true, false), new Asked(0, 1)))
                .then(new CompensationEvent.ManualOpened(
                        new Evidence(Evidence.Trigger.CONTRADICTION, "CONFIRMED_ALREADY", Map.of("phase", "CONFIRMED")),
                        Optional.empty()));
    }

    private static Life<Compensation, CompensationEvent> resolved(Resolution resolution) {
        return manual().then(new CompensationEvent.ManualResolved(resolution, BY, Optional.empty()));
    }

    static List<OutgoingMessage> all() {
        return List.of(
                        resolved(new Resolution.Again()),
                        resolved(new Resolution.StandAs(io.holdfast.reservation.domain.Resolution.Ending.CONFIRMED)))
                .stream()
                .flatMap(life -> life.everything().stream())
                .toList();
    }

    @Test
    void what_waits_for_a_person_is_told_with_its_evidence_and_once_more_when_it_is_decided() {
        assertThat(manual().everything()).singleElement().satisfies(message -> {
            assertThat(message.topic()).isEqualTo(OutTopic.LIFECYCLE);
            assertThat(message.id()).isEqualTo("compensation|" + KEY + "#2");
            assertThat(message.key()).isEqualTo(Life.ID);
            assertThat(message.type()).isEqualTo("InventoryCompensationManual");
            assertThat(message.data())
                    .containsEntry("status", "MANUAL")
                    .containsEntry("reason", "CONFIRMED_ALREADY")
                    .containsEntry("evidence", Map.of("phase", "CONFIRMED"));
        });
        assertThat(resolved(new Resolution.Again()).messages())
                .singleElement()
                .satisfies(message -> assertThat(message.data())
                        .containsEntry("resolution", "AGAIN")
                        .containsEntry("incident", "INC-7"));
        assertThat(manual().stalled().messages()).isEmpty();
    }
}
