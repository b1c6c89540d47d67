package io.holdfast.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The development stack as a person has it: one process, Ctrl-C, and again. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class DevCommandTest {

    private static final String LAST_LINE = "Ctrl-C stops it.";

    @TempDir
    Path folder;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void end() throws InterruptedException {
        for (Process process : started) {
            process.destroy();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void what_was_held_is_still_held_after_ctrl_c_and_another_start() throws Exception {
        Process first = dev();
        Api api = new Api(addressOf(first));
        Map<String, Object> wish =
                Map.of("pool", SamplePools.ensure(api), "order_id", "o-1", "order_item_id", "i-1", "quantity", 1);
        var held = api.post("/v1/reservations", wish);
        assertThat(held.text("/status")).isEqualTo("RESERVED");

        first.destroy();
        assertThat(first.waitFor(60, TimeUnit.SECONDS)).isTrue();

        var second = new Api(addressOf(dev()));
        assertThat(second.get("/v1/reservations/" + held.text("/reservation_id"))
                        .text("/status"))
                .isEqualTo("RESERVED");
        assertThat(second.get("/v1/pools/" + held.text("/terms/pool")).number("/redis/books/reserved"))
                .isEqualTo(1);
    }

    @Test
    void a_second_start_in_the_same_folder_is_told_so_in_one_line() throws Exception {
        addressOf(dev());
        Process second = dev();
        String said = new String(second.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(second.waitFor()).isEqualTo(3);
        assertThat(said.lines())
                .singleElement()
                .asString()
                .startsWith("holdfast: the folder ")
                .contains("is in use by process ");
    }

    private Process dev() throws IOException {
        Process process = JavaCommand.of(
                        "io.holdfast.launcher.Launcher",
                        List.of("dev", "--folder", folder.resolve("stack").toString()))
                .redirectErrorStream(true)
                .start();
        started.add(process);
        return process;
    }

    /** Reads until the stack says that it serves. */
    private static URI addressOf(Process process) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        List<String> said = new ArrayList<>();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            said.add(line);
            if (line.equals(LAST_LINE)) {
                String serves = said.stream()
                        .filter(l -> l.startsWith("Holdfast serves at "))
                        .findFirst()
                        .orElseThrow();
                return URI.create(serves.substring("Holdfast serves at ".length()));
            }
        }
        throw new AssertionError("it ended: " + said);
    }
}
