package io.holdfast.node;

import io.holdfast.config.Settings;
import java.util.List;
import java.util.concurrent.Callable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Runs a node until it is told to stop. */
@Command(
        name = "node",
        mixinStandardHelpOptions = true,
        description = "Runs a node until SIGTERM or Ctrl-C, then drains and stops.")
final class NodeCommand implements Callable<Integer> {

    @Mixin
    private ConfigOption config = new ConfigOption();

    @Override
    public Integer call() throws Exception {
        Settings settings = config.load();
        NodeProcessLife.logAs(settings);
        return NodeProcessLife.run(
                settings,
                node -> LoggerFactory.getLogger(NodeCommand.class).info("Serving at {}", node.address()),
                List.of());
    }
}
