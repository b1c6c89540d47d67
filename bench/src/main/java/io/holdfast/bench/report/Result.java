package io.holdfast.bench.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One run, as {@code --json} writes it. A figure that the scenario does not have is null.
 *
 * @param opsPerS operations a second
 * @param cpuUsPerOp microseconds of processor time an operation, by process
 * @param ratioRaw of journaled events a second to the raw rate, where both count writes
 * @param ratioStock of our operations a second to those with the stock journal DAO
 * @param ratioSqlRow of our operations a second to those of the SQL baseline
 */
@JsonPropertyOrder({
    "scenario",
    "outstanding",
    "pools",
    "ops_per_s",
    "p50_ms",
    "p99_ms",
    "cpu_us_per_op",
    "raw",
    "ratio_raw",
    "ratio_stock",
    "ratio_sql_row",
    "checks_ok",
    "machine",
    "versions",
    "durability"
})
public record Result(
        @JsonProperty("scenario") String scenario,
        @JsonProperty("outstanding") int outstanding,
        @JsonProperty("pools") int pools,
        @JsonProperty("ops_per_s") @Nullable Double opsPerS,
        @JsonProperty("p50_ms") @Nullable Double p50Ms,
        @JsonProperty("p99_ms") @Nullable Double p99Ms,
        @JsonProperty("cpu_us_per_op") @Nullable CpuPerOperation cpuUsPerOp,
        @JsonProperty("raw") @Nullable Raw raw,
        @JsonProperty("ratio_raw") @Nullable Double ratioRaw,
        @JsonProperty("ratio_stock") @Nullable Double ratioStock,
        @JsonProperty("ratio_sql_row") @Nullable Double ratioSqlRow,
        @JsonProperty("checks_ok") boolean checksOk,
        @JsonProperty("machine") Map<String, String> machine,
        @JsonProperty("versions") Map<String, String> versions,
        @JsonProperty("durability") Map<String, String> durability) {

    /** Microseconds; a process that took no part is null. */
    public record CpuPerOperation(
            @JsonProperty("jvm") @Nullable Double jvm,
            @JsonProperty("postgres") @Nullable Double postgres,
            @JsonProperty("redis") @Nullable Double redis,
            @JsonProperty("kafka") @Nullable Double kafka) {}

    /** The raw limit beside it. */
    public record Raw(
            @JsonProperty("name") String name,
            @JsonProperty("per_s") double perS) {}
}
