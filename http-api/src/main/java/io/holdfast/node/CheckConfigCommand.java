package io.holdfast.node;

import io.holdfast.config.Settings;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Reads the settings and says what is wrong with them. */
@Command(
        name = "check-config",
        mixinStandardHelpOptions = true,
        description = "Reads the settings and says in one line what is wrong with them. Starts nothing.")
final class CheckConfigCommand implements Callable<Integer> {

    @Mixin
    private ConfigOption config = new ConfigOption();

    @Option(names = "--stores", description = "Asks PostgreSQL and Redis as well whether they are fit to be relied on.")
    private boolean stores;

    @Override
    public Integer call() {
        Settings settings = config.load();
        if (stores) {
            NodeProcessLife.logAs(settings);
            Stores.require(settings);
        }
        System.out.println(
                "The settings are good: a " + settings.node().mode().name().toLowerCase(java.util.Locale.ROOT)
                        + " node named " + settings.node().name() + ".");
        return 0;
    }
}
