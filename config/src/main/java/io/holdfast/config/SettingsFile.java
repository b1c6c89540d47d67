package io.holdfast.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigSyntax;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValueFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Puts the three sources together: the reference file, over it the user's file, over that the environment. Names nobody knows are
 * refused, since a misspelt setting that is silently ignored is a wrong setting.
 */
final class SettingsFile {

    static final String REFERENCE = "holdfast-reference.conf";
    private static final String PEKKO = "pekko.";
    private static final String ENVIRONMENT = "HOLDFAST_";

    private SettingsFile() {}

    /** Only what the reference file says. */
    static Config reference() {
        return ConfigFactory.parseResources(
                        SettingsFile.class.getClassLoader(),
                        REFERENCE,
                        ConfigParseOptions.defaults().setAllowMissing(false))
                .resolve();
    }

    /** Reference, file and environment as one, all names known. */
    static Config load(Optional<Path> file, Map<String, String> environment) {
        Config reference = reference();
        Set<String> known = names(reference);
        Config user = file.map(SettingsFile::parse).orElseGet(ConfigFactory::empty);
        refuseUnknown(user, known, file);
        return environment(environment, reference, known).withFallback(user).withFallback(reference);
    }

    /** The variable that overrides a setting: {@code holdfast.http.port} is {@code HOLDFAST_HTTP_PORT}. */
    static String variableOf(String name) {
        return name.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    static Set<String> names(Config config) {
        Set<String> names = new TreeSet<>();
        config.entrySet().forEach(entry -> names.add(entry.getKey()));
        return names;
    }

    private static Config parse(Path file) {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw new SettingsException(
                    "The settings file " + file + " can't be read; give an existing file with --config FILE.");
        }
        try {
            return ConfigFactory.parseFile(
                            file.toFile(),
                            ConfigParseOptions.defaults()
                                    .setSyntax(ConfigSyntax.CONF)
                                    .setAllowMissing(false))
                    .resolve();
        } catch (ConfigException e) {
            throw new SettingsException("The settings file is not valid HOCON: " + e.getMessage());
        }
    }

    private static void refuseUnknown(Config user, Set<String> known, Optional<Path> file) {
        for (String name : names(user)) {
            if (name.startsWith(PEKKO) || known.contains(name)) {
                continue;
            }
            throw new SettingsException(name + " in " + file.map(Path::toString).orElse("the settings")
                    + " is not a setting; " + remedy(name, known));
        }
    }

    private static String remedy(String name, Set<String> known) {
        if (known.stream().anyMatch(other -> other.startsWith(name + "."))) {
            return "it is a section: write " + name + " { ... } with the settings in it.";
        }
        Optional<String> value =
                known.stream().filter(other -> name.startsWith(other + ".")).findFirst();
        if (value.isPresent()) {
            return value.get() + " is one value, not a section.";
        }
        return nearest(name, known, Math.max(3, name.length() / 4))
                .map(other -> "did you mean " + other + "?")
                .orElse("remove it, or see " + REFERENCE + " for all there are.");
    }

    /**
     * Only variables that name a setting count. Others are let pass, for an orchestrator makes some up (a service called "holdfast"
     * gives HOLDFAST_PORT), unless one is a slip of the pen away from a setting.
     */
    private static Config environment(Map<String, String> environment, Config reference, Set<String> known) {
        Config config = ConfigFactory.empty();
        Set<String> variables = new TreeSet<>();
        for (String name : known) {
            String variable = variableOf(name);
            variables.add(variable);
            String value = environment.get(variable);
            if (value != null) {
                config = config.withValue(
                        name,
                        ConfigValueFactory.fromAnyRef(
                                isList(reference, name) ? items(value) : value, "environment variable " + variable));
            }
        }
        for (String variable : new TreeSet<>(environment.keySet())) {
            if (variable.startsWith(ENVIRONMENT) && !variables.contains(variable)) {
                nearest(variable, variables, 2).ifPresent(other -> {
                    throw new SettingsException(
                            "The environment variable " + variable + " is not a setting; did you mean " + other + "?");
                });
            }
        }
        return config;
    }

    private static boolean isList(Config reference, String name) {
        return switch (reference.getValue(name).valueType()) {
            case LIST -> true;
            case OBJECT, NUMBER, BOOLEAN, NULL, STRING -> false;
        };
    }

    private static List<String> items(String value) {
        return value.isBlank()
                ? List.of()
                : Arrays.stream(value.split(",", -1)).map(String::strip).toList();
    }

    private static Optional<String> nearest(String name, Collection<String> others, int limit) {
        String best = null;
        int distance = limit + 1;
        for (String other : others) {
            int d = distance(name, other);
            if (d < distance) {
                best = other;
                distance = d;
            }
        }
        return Optional.ofNullable(best);
    }

    /** Letters to insert, remove or change (Levenshtein). */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }

    /** Settings of the actor system that the user's file overrides, as it wrote them. */
    static Config pekko(Config all) {
        return all.hasPath("pekko") ? all.withOnlyPath(ConfigUtil.joinPath("pekko")) : ConfigFactory.empty();
    }
}
