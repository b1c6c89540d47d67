package io.holdfast.localstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.localstack.Signals.Signal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class StartFailureTest {

    @Nested
    class what_the_system_really_says {

        @TempDir
        private Path folder;

        @Test
        void a_library_that_is_missing() throws IOException {
            byte[] program = Files.readAllBytes(
                    Binaries.cachedOr(folder).postgres().resolve("bin").resolve("postgres"));
            String needed = "libxml2.so.2";
            int place = new String(program, StandardCharsets.ISO_8859_1).indexOf(needed);
            assertThat(place).as("postgres is linked with " + needed).isPositive();
            program[place + 3] = '?';
            assertThat(launch(Files.write(folder.resolve("postgres"), program), "rwxr-xr-x"))
                    .isEqualTo("PostgreSQL needs the library lib?ml2.so.2, which this machine does not have: install it"
                            + " or name a PostgreSQL of your own in the configuration");
        }

        @Test
        void a_program_without_its_loader_as_on_a_system_without_the_GNU_C_library() throws IOException {
            assertThat(launch(Files.writeString(folder.resolve("postgres"), "#!/no/such/loader\n"), "rwxr-xr-x"))
                    .contains("PostgreSQL cannot run here, most likely because this system has no GNU C library");
        }

        @Test
        void a_program_that_may_not_be_executed() throws IOException {
            assertThat(launch(Files.writeString(folder.resolve("postgres"), "#!/bin/sh\n"), "rw-r--r--"))
                    .contains("may not be executed")
                    .contains("noexec");
        }

        @Test
        void a_program_for_another_processor() throws IOException {
            byte[] program = {0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, (byte) 0xf3, 0, 1, 0, 0, 0
            };
            assertThat(launch(Files.write(folder.resolve("postgres"), program), "rwxr-xr-x"))
                    .satisfiesAnyOf(
                            message -> assertThat(message).contains("made for this machine's processor"),
                            message -> assertThat(message).contains("cannot run here"));
        }

        @Test
        void a_program_that_gives_up_is_quoted() throws IOException {
            Path program = Files.writeString(
                    folder.resolve("postgres"),
                    "#!/bin/sh\necho first\necho now FATAL: no luck\necho HINT: none\nexit 3\n");
            assertThat(launch(program, "rwxr-xr-x"))
                    .startsWith("PostgreSQL stopped while starting (exit code 3): FATAL: no luck; the whole log is ");
        }

        private String launch(Path program, String permissions) throws IOException {
            Files.setPosixFilePermissions(program, PosixFilePermissions.fromString(permissions));
            try (DataFolder data = DataFolder.take(Service.POSTGRES, folder.resolve("server"))) {
                ServerProcess process =
                        ServerProcess.launch(Service.POSTGRES, data, List.of(program.toString()), Signal.TERM);
                assertThat(process.awaitEnd(Duration.ofSeconds(30))).isTrue();
                return process.whyItEnded(program, 5432).getMessage();
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        127 | redis-server: error while loading shared libraries: libssl.so.3: cannot open shared object file | install it (OpenSSL 3; on Debian and Ubuntu: apt install libssl3)
        1   | redis-server: /lib/libc.so.6: version `GLIBC_2.34' not found (required by redis-server)         | needs a newer C library (GLIBC_2.34)
        1   | bind: Address already in use                                                                    | port 1 on 127.0.0.1 is taken
        1   | java.lang.Exception: outer                                                                      | java.lang.Exception: outer
        1   | ''                                                                                              | it said nothing
        """)
    void what_a_server_says_becomes_one_line(int exitCode, String output, String expected) {
        assertThat(new StartFailure(Service.REDIS, Path.of("redis-server"), 1, exitCode, output, Path.of("log"))
                        .explain())
                .isInstanceOf(LocalStackException.class)
                .hasMessageContaining(expected)
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @CsvSource({"Mac OS X, aarch64", "Windows 11, amd64", "Linux, riscv64"})
    void a_machine_we_bring_nothing_for_is_told_so(String os, String arch) {
        assertThatThrownBy(() -> Binaries.cpu(Service.REDIS, os, arch))
                .isInstanceOf(LocalStackException.class)
                .hasMessage(
                        "no Redis is brought along for %s on %s (only Linux on amd64 and arm64): name a Redis of your own in the configuration"
                                .formatted(os, arch));
    }

    @ParameterizedTest
    @CsvSource({"Linux, amd64, AMD64", "Linux, aarch64, ARM64"})
    void the_programs_for_each_machine_we_serve_are_on_the_class_path(String os, String arch, Binaries.Cpu cpu) {
        assertThat(Binaries.cpu(Service.REDIS, os, arch)).isEqualTo(cpu);
        assertThat(cpu.resources())
                .allSatisfy(resource ->
                        assertThat(Binaries.class.getResource("/" + resource)).isNotNull());
    }
}
