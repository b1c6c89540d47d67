package io.holdfast.node;

import io.holdfast.config.Settings;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option every command has in common. */
final class ConfigOption {

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Settings that differ from the defaults. HOLDFAST_... variables override it.")
    private Optional<Path> file = Optional.empty();

    /**
     * Reads the settings.
     *
     * @throws io.holdfast.config.SettingsException if they can't be used
     */
    Settings load() {
        return Settings.load(file, System.getenv());
    }
}
