package io.holdfast.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The development stack as a person has it: one process, Ctrl-C, and again. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class DevCommandTest {

    @TempDir
    Path folder;

    private static final Pattern SAMPLE = Pattern.compile("\"pool\":\"([^\"]+)\"");

    private final List<Process> started = new ArrayList<>();
    private final Map<Process, BufferedReader> outputs = new HashMap<>();
    private final Map<Process, List<String>> said = new HashMap<>();

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
        String pool = samplePool(first);
        Map<String, Object> wish = Map.of("pool", pool, "order_id", "o-1", "order_item_id", "i-1", "quantity", 1);
        var held = api.post("/v1/reservations", wish);
        assertThat(held.text("/status")).isEqualTo("RESERVED");
        assertThat(api.post("/v1/pools/" + pool + "/adjustments", Map.of("total", 30, "expected_version", 1))
                        .status())
                .isEqualTo(200);

        assertThat(Files.readString(folder.resolve("stack/dev.conf")))
                .containsPattern("HOLDFAST_CLUSTER_SEED_NODES=127\\.0\\.0\\.1:[1-9]\\d+ ");

        String goodbye = stopped(first);

        assertThat(goodbye)
                .contains("Stopping: finishing what has begun.", "the data stays in " + folder.resolve("stack"))
                .endsWith("Stopped.\n")
                .doesNotContain("timed out", "WARN", "ERROR");
        String token = "a-token-of-the-shop";
        // Where only callers with tokens may, one that may not even make pools among them.
        Process again =
                dev(Map.of("HOLDFAST_HTTP_TOKENS", "shop:" + sha256(token) + ":client:" + SamplePools.MERCHANT));
        URI address = addressOf(again);
        assertThat(new Api(address).get("/v1/pools/" + pool).status()).isEqualTo(401);
        assertThat(said(again)).anyMatch(line -> line.contains("-H \"Authorization: Bearer $HOLDFAST_TOKEN\""));
        var second = new Api(address, Optional.of(token));
        assertThat(said(again))
                .contains("The sample pool " + pool + " is there already, OPEN with a total of 30; it stays as it is.");
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
        assertThat(said.lines().skip(1))
                .singleElement()
                .asString()
                .startsWith("holdfast: the folder ")
                .contains("is in use by process ");
    }

    @Test
    void a_port_that_can_not_be_is_a_mistake_of_whoever_asked() throws Exception {
        Process dev = dev("--port", "99999");
        String said = new String(dev.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(dev.waitFor()).isEqualTo(2);
        assertThat(said.lines()).singleElement().asString().contains("99999 is no port");
    }

    @Test
    void a_tour_is_not_walked_where_data_are_kept() throws Exception {
        Files.createDirectories(folder.resolve("stack/postgres"));
        Process tour = dev("--tour");
        String said = new String(tour.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(tour.waitFor()).isEqualTo(3);
        assertThat(said.lines())
                .singleElement()
                .asString()
                .startsWith("holdfast: The tour needs a stack of its own")
                .endsWith("name a new one with --folder, or leave it out.");
    }

    private static String sha256(String token) throws NoSuchAlgorithmException {
        return HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    }

    private Process dev(String... more) throws IOException {
        return dev(Map.of(), more);
    }

    private Process dev(Map<String, String> environment, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(
                List.of("dev", "--folder", folder.resolve("stack").toString()));
        arguments.addAll(List.of(more));
        ProcessBuilder command =
                JavaCommand.serving("io.holdfast.launcher.Launcher", arguments).redirectErrorStream(true);
        command.environment().putAll(environment);
        Process process = command.start();
        started.add(process);
        return process;
    }

    /** Ends it as Ctrl-C does, and returns what it said from then on. */
    private String stopped(Process process) throws IOException, InterruptedException {
        // By its handle: the process itself would close what it is read from.
        process.toHandle().destroy();
        StringBuilder rest = new StringBuilder();
        BufferedReader lines = output(process);
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            rest.append(line).append('\n');
        }
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as("it stopped in order: %s", rest).isZero();
        return rest.toString();
    }

    /** Reads until the stack says that it serves. */
    private URI addressOf(Process process) throws IOException {
        BufferedReader lines = output(process);
        List<String> said = said(process);
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            said.add(line);
            if (line.equals(Welcome.LAST_LINE)) {
                String serves = said.stream()
                        .filter(l -> l.startsWith(Welcome.SERVES_AT))
                        .findFirst()
                        .orElseThrow();
                return URI.create(serves.substring(Welcome.SERVES_AT.length()));
            }
        }
        throw new AssertionError("it ended: " + said);
    }

    /** Of its welcome. */
    private String samplePool(Process process) {
        return said(process).stream()
                .map(SAMPLE::matcher)
                .filter(Matcher::find)
                .map(found -> found.group(1))
                .findFirst()
                .orElseThrow();
    }

    private BufferedReader output(Process process) {
        return outputs.computeIfAbsent(
                process,
                one -> new BufferedReader(new InputStreamReader(one.getInputStream(), StandardCharsets.UTF_8)));
    }

    private List<String> said(Process process) {
        return said.computeIfAbsent(process, _ -> new ArrayList<>());
    }
}
