package io.holdfast.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigValueType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads settings one by one, each with its range, and keeps account of what was read, so that a test can hold the reference file to
 * it. Every complaint is one line with the setting, its value, what is allowed, and where to set it.
 */
final class SettingsReader {

    private static final Pattern INTEGER = Pattern.compile("-?\\d{1,18}");
    private static final Pattern HAS_UNIT = Pattern.compile("\\s*\\d+(\\.\\d+)?\\s*[A-Za-z]+\\s*");

    private final Config config;
    private final String prefix;
    private final Set<String> read;

    SettingsReader(Config config) {
        this(config, "holdfast.", new TreeSet<>());
    }

    private SettingsReader(Config config, String prefix, Set<String> read) {
        this.config = config;
        this.prefix = prefix;
        this.read = read;
    }

    /** The same reader, one section down. */
    SettingsReader section(String name) {
        return new SettingsReader(config, prefix + name + ".", read);
    }

    /** Full names of everything read so far, by this reader and its sections. */
    Set<String> read() {
        return read;
    }

    String text(String name) {
        return optionalText(name).orElseThrow(() -> missing(name));
    }

    Optional<String> optionalText(String name) {
        String value = raw(name).strip();
        return value.isEmpty() ? Optional.empty() : Optional.of(value);
    }

    Secret secret(String name) {
        return new Secret(raw(name));
    }

    boolean flag(String name) {
        return switch (raw(name)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw bad(name, "true or false");
        };
    }

    int integer(String name, int min, int max) {
        return (int) whole(name, min, max, "an integer from " + min + " to " + max);
    }

    /** A size in bytes, written with its unit: {@code 64KiB}. */
    long bytes(String name, long min, long max) {
        String allowed = "a size from " + min + " to " + max + " bytes, with a unit such as KiB or MiB";
        requireUnit(name, allowed);
        try {
            return within(name, config.getBytes(full(name)), min, max, allowed);
        } catch (ConfigException e) {
            throw bad(name, allowed);
        }
    }

    /** A length of time, written with its unit: {@code 20s}. */
    Duration duration(String name, Duration min, Duration max) {
        String allowed = "a duration from " + show(min) + " to " + show(max) + ", with a unit such as ms, s, m, h";
        requireUnit(name, allowed);
        Duration value;
        try {
            value = config.getDuration(full(name));
        } catch (ConfigException e) {
            throw bad(name, allowed);
        }
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw bad(name, allowed);
        }
        return value;
    }

    double fraction(String name) {
        String allowed = "a number from 0 to 1";
        String value = raw(name);
        if (!value.matches("\\d(\\.\\d{1,9})?") || Double.parseDouble(value) > 1) {
            throw bad(name, allowed);
        }
        return Double.parseDouble(value);
    }

    <E extends Enum<E>> E choice(String name, Class<E> type) {
        String value = raw(name);
        for (E constant : type.getEnumConstants()) {
            if (word(constant).equals(value)) {
                return constant;
            }
        }
        String allowed =
                Arrays.stream(type.getEnumConstants()).map(SettingsReader::word).collect(Collectors.joining(", "));
        throw bad(name, "one of " + allowed);
    }

    <E extends Enum<E>> Set<E> choices(String name, Class<E> type) {
        Set<E> chosen = new TreeSet<>();
        for (String item : texts(name)) {
            chosen.add(Arrays.stream(type.getEnumConstants())
                    .filter(constant -> word(constant).equals(item))
                    .findFirst()
                    .orElseThrow(() -> bad(
                            name,
                            "a list of "
                                    + Arrays.stream(type.getEnumConstants())
                                            .map(SettingsReader::word)
                                            .collect(Collectors.joining(", ")))));
        }
        return chosen;
    }

    List<String> texts(String name) {
        raw(name, ConfigValueType.LIST);
        try {
            return config.getStringList(full(name));
        } catch (ConfigException e) {
            throw bad(name, "a list of texts");
        }
    }

    /** A file that must be there to be read, if it is named at all. */
    Optional<Path> file(String name) {
        Optional<Path> path = optionalText(name).map(Path::of);
        if (path.isPresent() && (!Files.isReadable(path.get()) || Files.isDirectory(path.get()))) {
            throw bad(name, "a file this process can read");
        }
        return path;
    }

    /** The complaint about a value that is not allowed. */
    SettingsException bad(String name, String allowed) {
        return complaint(name, "allowed is " + allowed);
    }

    /** Insists that one length of time is at least another. */
    void atLeast(String name, Duration value, String otherName, Duration other) {
        if (value.compareTo(other) < 0) {
            throw complaint(name, "it must be at least " + otherName + " (" + show(other) + ")");
        }
    }

    /** The complaint about values that do not go together. */
    SettingsException complaint(String name, String why) {
        return new SettingsException(full(name) + " = " + shown(name) + " can't be: " + why
                + ". Set it in the settings file or as " + SettingsFile.variableOf(full(name)) + ".");
    }

    /** The complaint about a setting that has no default and was not given. */
    SettingsException missing(String name) {
        return new SettingsException(full(name) + " is not set and has no default: set it in the settings file or as "
                + SettingsFile.variableOf(full(name)) + ".");
    }

    /** How an enum constant is written in the file. */
    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static String show(Duration duration) {
        long millis = duration.toMillis();
        if (millis % 86_400_000 == 0 && millis > 0) {
            return millis / 86_400_000 + "d";
        }
        if (millis % 3_600_000 == 0 && millis > 0) {
            return millis / 3_600_000 + "h";
        }
        if (millis % 60_000 == 0 && millis > 0) {
            return millis / 60_000 + "m";
        }
        return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
    }

    private long whole(String name, long min, long max, String allowed) {
        String value = raw(name);
        if (!INTEGER.matcher(value).matches()) {
            throw bad(name, allowed);
        }
        return within(name, Long.parseLong(value), min, max, allowed);
    }

    private long within(String name, long value, long min, long max, String allowed) {
        if (value < min || value > max) {
            throw bad(name, allowed);
        }
        return value;
    }

    private void requireUnit(String name, String allowed) {
        if (!HAS_UNIT.matcher(raw(name)).matches()) {
            throw bad(name, allowed);
        }
    }

    private String raw(String name) {
        raw(name, ConfigValueType.STRING);
        return String.valueOf(config.getValue(full(name)).unwrapped());
    }

    private void raw(String name, ConfigValueType wanted) {
        String full = full(name);
        read.add(full);
        if (!config.hasPath(full)) {
            throw missing(name);
        }
        boolean list = config.getValue(full).valueType() == ConfigValueType.LIST;
        if (list != (wanted == ConfigValueType.LIST)) {
            throw bad(name, list ? "one value, not a list" : "a list in square brackets");
        }
    }

    private String full(String name) {
        return prefix + name;
    }

    private String shown(String name) {
        String value = String.valueOf(config.getValue(full(name)).unwrapped());
        boolean hidden = name.endsWith("password") || name.endsWith("tokens") || name.endsWith("secrets");
        String oneLine = value.replaceAll("\\s+", " ").replaceAll("[^/@ ]*@", "***@");
        return hidden ? "***" : oneLine.length() > 100 ? oneLine.substring(0, 100) + "…" : oneLine;
    }
}
