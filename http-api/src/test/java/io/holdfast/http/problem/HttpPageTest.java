package io.holdfast.http.problem;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.compensation.domain.CompensationRefusal;
import io.holdfast.engine.machine.EngineRefusal;
import io.holdfast.engine.machine.Refusal;
import io.holdfast.json.InputError;
import io.holdfast.order.domain.OrderRefusal;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationRefusal;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolRefusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class HttpPageTest {

    private static final String START = "<!-- codes -->\n";
    private static final String END = "<!-- /codes -->\n";

    private static Path page() {
        Path fromModule = Path.of("../docs/http.md");
        return Files.exists(fromModule) ? fromModule : Path.of("docs/http.md");
    }

    @Test
    void the_page_lists_exactly_the_codes_of_the_code_with_status_and_meaning() throws IOException {
        String page = Files.readString(page());
        int start = page.indexOf(START) + START.length();
        int end = page.indexOf(END);
        String table = Stream.of(ProblemCode.values())
                .map(code -> "| `" + code.name() + "` | " + code.status() + " | " + code.meaning() + " " + code.remedy()
                        + " |\n")
                .collect(Collectors.joining(
                        "", "| code | status | what it means, and what to do |\n|---|---|---|\n", ""));
        if (Boolean.getBoolean("derived.update")) {
            Files.writeString(page(), page.substring(0, start) + table + page.substring(end));
        }
        assertThat(Files.readString(page()))
                .as("run this test with -Dderived.update=true and review the difference")
                .contains(START + table + END);
    }

    @Test
    void the_page_names_every_status_and_every_code_of_a_fault() throws IOException {
        assertThat(Files.readString(page()))
                .contains(Stream.of(Reservation.Status.values(), StockPool.Status.values())
                        .flatMap(Stream::of)
                        .map(status -> "`" + status.name() + "`")
                        .toList())
                .contains(Stream.of(InputError.Code.values())
                        .map(code -> "`" + code.name().toLowerCase(Locale.ROOT) + "`")
                        .toList());
    }

    static Stream<Refusal> refusals() {
        return Stream.of(
                        EngineRefusal.values(),
                        ReservationRefusal.values(),
                        StockPoolRefusal.values(),
                        CompensationRefusal.values(),
                        OrderRefusal.values())
                .flatMap(Stream::of);
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void every_refusal_is_answered_with_its_own_code_and_a_status_that_fits(Refusal refusal) {
        ProblemCode code = Refusals.code(refusal);
        assertThat(code.name()).isEqualTo(refusal.code());
        if (refusal.retryable()) {
            assertThat(code.again()).as("it may succeed later").isNotEqualTo(Again.NO);
        }
        if (code.status() == 503) {
            assertThat(refusal.retryable()).as("503 asks to come again").isTrue();
        }
    }
}
