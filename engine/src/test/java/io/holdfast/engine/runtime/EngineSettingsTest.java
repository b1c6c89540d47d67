package io.holdfast.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.engine.entity.Parcel;
import io.holdfast.engine.entity.Parcel.Command;
import io.holdfast.engine.entity.Parcel.Event;
import io.holdfast.engine.entity.Parcel.State;
import io.holdfast.engine.entity.ParcelMachine;
import io.holdfast.engine.machine.EngineRefusal;
import io.holdfast.engine.machine.Refusal;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class EngineSettingsTest {

    enum Thief implements Refusal {
        KEY_REUSED;

        @Override
        public String code() {
            return name();
        }

        @Override
        public String explanation() {
            return "mine";
        }

        @Override
        public boolean retryable() {
            return false;
        }
    }

    @Test
    void limits_that_would_serve_nobody_are_refused() {
        var sane = EngineSettings.defaults();
        assertThatThrownBy(() -> sane.withAsking(Duration.ZERO, Duration.ofSeconds(1), 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> sane.withAsking(Duration.ofSeconds(1), Duration.ZERO, 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> sane.withAsking(Duration.ofSeconds(1), Duration.ofSeconds(1), 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> sane.withRestartAfter(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> sane.withUnreadableLinger(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_definition_knows_the_engines_refusals_beside_its_own() {
        var definition = MachineDefinition.of(
                new ParcelMachine(), new Carrier(), State.class, Command.class, Event.class, Parcel.No.class);

        assertThat(definition.refusals())
                .containsEntry("KEY_REUSED", EngineRefusal.KEY_REUSED)
                .containsEntry("NO_CARRIER", Parcel.No.NO_CARRIER)
                .hasSize(EngineRefusal.values().length + Parcel.No.values().length);
    }

    @Test
    void a_machine_can_not_take_a_code_of_the_engine_for_its_own() {
        assertThatThrownBy(() -> MachineDefinition.of(
                        new ParcelMachine(), new Carrier(), State.class, Command.class, Event.class, Thief.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("KEY_REUSED");
    }
}
