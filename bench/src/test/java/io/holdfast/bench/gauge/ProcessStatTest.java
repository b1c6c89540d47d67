package io.holdfast.bench.gauge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ProcessStatTest {

    /** Fields 4, 14 to 17 of proc(5): parent, time in user and kernel mode, and that of reaped children. */
    private static final String AFTER_THE_NAME =
            ") S 77 10 10 0 -1 4194560 100 200 0 0 11 22 33 44 20 0 1 0 123456 1000 200 18446744073709551615";

    @Test
    void times_and_parent_are_read_from_their_fields() {
        assertThat(ProcessStat.parse("42 (postgres" + AFTER_THE_NAME)).isEqualTo(new ProcessStat(77, 33, 77));
    }

    @Test
    void a_name_may_hold_blanks_and_parentheses() {
        assertThat(ProcessStat.parse("42 (a) S 1 (b) x" + AFTER_THE_NAME)).isEqualTo(new ProcessStat(77, 33, 77));
    }

    @Test
    void what_is_no_such_line_is_refused() {
        assertThatThrownBy(() -> ProcessStat.parse("42 postgres")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void the_time_of_a_child_that_has_ended_is_kept() throws Exception {
        // The outer shell waits for a child that works; both are counted as long as the outer one lives.
        var shell = new ProcessBuilder(
                        "sh", "-c", "sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done'; echo done; read _")
                .start();
        try (var out = shell.inputReader()) {
            assertThat(out.readLine()).isEqualTo("done");
            assertThat(ProcessTree.micros(shell.pid())).isPositive();
        } finally {
            shell.destroyForcibly().waitFor(20, TimeUnit.SECONDS);
        }
        assertThatThrownBy(() -> ProcessTree.micros(shell.pid())).hasMessageContaining("has ended");
    }

    @Test
    void this_process_has_used_time_and_allocated() {
        var meters = new Meters(
                ProcessHandle.current().pid(), ProcessHandle.current().pid(), java.util.OptionalLong.empty());
        Meters.Reading reading = meters.read();
        assertThat(reading.jvm()).isPositive();
        assertThat(reading.postgres()).isPositive();
        assertThat(reading.allocated()).isPositive();
        assertThat(meters.read().since(reading).all()).isNotNegative();
    }
}
