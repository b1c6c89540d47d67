package io.holdfast.reservation.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.engine.journal.JsonCodec;
import io.holdfast.engine.journal.UnreadableEntry;
import io.holdfast.engine.machine.Sample;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationSamples;
import io.holdfast.reservation.port.Loadable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class LoadableStatesTest {

    private final JsonCodec<Reservation> codec = JsonCodec.of(Reservation.class);
    private final LoadableStates states = new LoadableStates();

    private static List<Sample<Reservation>> samples() {
        return new ReservationSamples().states();
    }

    private String held() {
        return samples().stream()
                .map(Sample::value)
                .filter(state -> state instanceof Reservation.Reserved)
                .map(state -> new String(codec.encode(state), StandardCharsets.UTF_8))
                .findFirst()
                .orElseThrow();
    }

    private Loadable read(String json) {
        return states.read(json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void every_state_is_read_as_if_it_were_known_whole() {
        for (Sample<Reservation> sample : samples()) {
            assertThat(states.read(codec.encode(sample.value())))
                    .as("%s", sample)
                    .isEqualTo(Loadable.of(sample.value()));
        }
        assertThat(samples().stream().map(sample -> Loadable.of(sample.value())))
                .hasAtLeastOneElementOfType(Loadable.Plain.class)
                .hasAtLeastOneElementOfType(Loadable.Whole.class);
    }

    @Test
    void what_a_later_version_adds_is_skipped() {
        String more = "{\"x\":[{\"type\":\"Held\"},null],\"held\":9}";
        assertThat(read(held().replace("\"claim\":{", "\"more\":" + more + ",\"claim\":{\"more\":" + more + ",")
                        .replace("\"account\":{", "\"account\":{\"more\":" + more + ",")))
                .isEqualTo(read(held()));
    }

    @Test
    void a_state_that_is_cut_short_at_any_place_is_unreadable() {
        String whole = held();
        for (int length = 0; length < whole.length(); length++) {
            String part = whole.substring(0, length);
            assertThatThrownBy(() -> read(part)).as(part).isInstanceOf(UnreadableEntry.class);
        }
    }

    @Test
    void a_state_in_which_a_number_is_missing_or_is_none_is_unreadable() {
        String whole = held();
        Map<String, String> broken = Map.of(
                "\"held\":5", "\"held\":\"5\"",
                "\"held\":5,", "",
                "\"released\":0", "\"released\":null",
                "\"version\":2,", "",
                "\"version\":2", "\"version\":2.5",
                "\"refunds\":{}", "\"refunds\":7",
                "\"refunds\":{},", "",
                "\"total\":10", "\"total\":99999999999999999999");
        broken.forEach((there, instead) -> {
            assertThat(whole).contains(there);
            assertThatThrownBy(() -> read(whole.replace(there, instead)))
                    .as("%s instead of %s", instead, there)
                    .isInstanceOf(UnreadableEntry.class);
        });
    }
}
