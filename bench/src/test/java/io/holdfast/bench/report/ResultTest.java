package io.holdfast.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ResultTest {

    @Test
    void a_run_is_one_json_object_with_exactly_these_fields() throws Exception {
        var result = new Result(
                "hold",
                256,
                1000,
                1234.5,
                1.25,
                9.5,
                new Result.CpuPerOperation(70.0, 30.0, 20.0, null),
                new Result.Raw("commits", 5000),
                1.5,
                null,
                null,
                true,
                Map.of("cores", "2"),
                Map.of("postgres", "18"),
                Map.of("postgres.fsync", "on"));
        assertThat(new ObjectMapper().writeValueAsString(result)).isEqualTo("""
            {"scenario":"hold","outstanding":256,"pools":1000,"ops_per_s":1234.5,"p50_ms":1.25,"p99_ms":9.5,\
            "cpu_us_per_op":{"jvm":70.0,"postgres":30.0,"redis":20.0,"kafka":null},\
            "raw":{"name":"commits","per_s":5000.0},"ratio_raw":1.5,"ratio_stock":null,"ratio_sql_row":null,\
            "checks_ok":true,"machine":{"cores":"2"},"versions":{"postgres":"18"},\
            "durability":{"postgres.fsync":"on"}}\
            """);
    }
}
