package io.holdfast.bench.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.bench.Options;
import io.holdfast.bench.report.Result;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every scenario whole, for a moment each: its sums must agree, whatever its figures are. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Execution(ExecutionMode.CONCURRENT) // each on stores of its own
class ScenariosTest {

    /** Few operations at once: they leave the processors time for what else is tested. */
    private static final Options A_MOMENT =
            new Options(Duration.ofMillis(300), Duration.ofMillis(100), 4, 5, 200, false, Optional.empty());

    static Stream<String> every_scenario_runs_and_its_sums_agree() {
        return Scenario.all().stream().map(Scenario::name);
    }

    @ParameterizedTest
    @MethodSource
    void every_scenario_runs_and_its_sums_agree(String name) throws Exception {
        var said = new ByteArrayOutputStream();
        Result result =
                Scenario.named(name).orElseThrow().run(A_MOMENT, new PrintStream(said, true, StandardCharsets.UTF_8));
        String text = said.toString(StandardCharsets.UTF_8);
        assertThat(result.checksOk()).as(text).isTrue();
        assertThat(text).contains("machine     cores: ", "version     postgres: ", "sums: all agree");

        JsonNode json = new ObjectMapper().valueToTree(result);
        assertThat(json.path("scenario").asText()).isEqualTo(name);
        assertThat(json.path("ops_per_s").asDouble()).isPositive();
        assertThat(json.path("durability").path("postgres.fsync").asText()).isEqualTo("on");
        assertThat(json.path("durability").path("redis.appendonly").asText()).isEqualTo("yes");
        for (String field : fieldsOf(name)) {
            assertThat(json.at(field).asDouble()).as(field).isPositive();
        }
    }

    /** Figures that this scenario has; elsewhere they are null. */
    private static List<String> fieldsOf(String name) {
        return switch (name) {
            case "hold" -> List.of("/ratio_raw", "/ratio_stock", "/ratio_sql_row", "/p50_ms", "/cpu_us_per_op/jvm");
            case "hold-confirm", "hot", "sold-out" ->
                List.of("/ratio_raw", "/ratio_sql_row", "/p99_ms", "/cpu_us_per_op/jvm");
            case "kafka" ->
                List.of(
                        "/ratio_raw",
                        "/cpu_us_per_op/jvm",
                        "/cpu_us_per_op/kafka",
                        "/durability/kafka.min.insync.replicas");
            case "gate" -> List.of("/ratio_raw", "/p50_ms", "/cpu_us_per_op/redis");
            case "orders" -> List.of("/ratio_raw", "/cpu_us_per_op/jvm", "/cpu_us_per_op/kafka");
            case "recover" -> List.of("/ratio_raw", "/cpu_us_per_op/jvm");
            case "flash" -> List.of("/p99_ms", "/cpu_us_per_op/jvm");
            case "http", "projection" -> List.of("/ratio_raw", "/p99_ms", "/cpu_us_per_op/jvm");
            default -> List.of();
        };
    }
}
