package io.holdfast.localstack;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes one line out of what a server said before it gave up: what is wrong and what to do. */
record StartFailure(Service service, Path program, int port, int exitCode, String output, Path log) {

    private static final Pattern MISSING_LIBRARY = Pattern.compile("error while loading shared libraries: ([^:\\s]+)");
    private static final Pattern OLD_C_LIBRARY = Pattern.compile("version `(GLIBC[^']*)' not found");
    private static final Pattern STACK_FRAME = Pattern.compile("^\\s+(at |\\.\\.\\. \\d+ more)");
    private static final String FATAL = "FATAL: ";
    private static final int CANNOT_EXECUTE = 126;
    private static final int NOT_FOUND = 127;

    LocalStackException explain() {
        Matcher library = MISSING_LIBRARY.matcher(output);
        if (library.find()) {
            return failure(
                    "%s needs the library %s, which this machine does not have: install it%s or name a %s of your own in the configuration"
                            .formatted(title(), library.group(1), packageHint(library.group(1)), title()));
        }
        Matcher libc = OLD_C_LIBRARY.matcher(output);
        if (libc.find()) {
            return failure(
                    "%s needs a newer C library (%s) than this machine has: use a newer system or name a %s of your own in the configuration"
                            .formatted(title(), libc.group(1), title()));
        }
        if (output.contains("Address already in use")) {
            return new PortTakenException(service, port);
        }
        if (exitCode == NOT_FOUND) {
            return failure(
                    "%s cannot run here, most likely because this system has no GNU C library (Alpine, for example): use a glibc system or name a %s of your own in the configuration"
                            .formatted(title(), title()));
        }
        if (exitCode == CANNOT_EXECUTE) {
            return failure(
                    "%s (%s) may not be executed: put it on a file system without `noexec` by setting XDG_CACHE_HOME, and check that it is made for this machine's processor"
                            .formatted(title(), program));
        }
        return failure("%s stopped while starting (exit code %d): %s; the whole log is %s"
                .formatted(title(), exitCode, lastWords(), log));
    }

    private static String packageHint(String library) {
        if (library.startsWith("libssl.so.3") || library.startsWith("libcrypto.so.3")) {
            return " (OpenSSL 3; on Debian and Ubuntu: apt install libssl3)";
        }
        return "";
    }

    /** PostgreSQL's verdict, or the last two lines: Redis names the setting in one and the fault in the next. */
    private String lastWords() {
        List<String> lines = output.lines()
                .filter(line -> !line.isBlank() && !STACK_FRAME.matcher(line).find())
                .map(String::strip)
                .toList();
        return lines.stream()
                .filter(line -> line.contains(FATAL))
                .map(line -> line.substring(line.indexOf(FATAL)))
                .reduce((first, second) -> second)
                .orElseGet(() -> lines.isEmpty()
                        ? "it said nothing"
                        : String.join(" / ", lines.subList(Math.max(0, lines.size() - 2), lines.size())));
    }

    private String title() {
        return service.title();
    }

    private static LocalStackException failure(String message) {
        return new LocalStackException(message);
    }
}
