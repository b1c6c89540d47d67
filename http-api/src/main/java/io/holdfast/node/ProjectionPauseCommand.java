package io.holdfast.node;

import io.holdfast.engine.projection.ProjectionOrders;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Pauses a projection. */
@Command(
        name = "pause",
        mixinStandardHelpOptions = true,
        description = "Stops a projection in the whole fleet after the batch it is at, until it is resumed.")
final class ProjectionPauseCommand implements Callable<Integer> {

    @Mixin
    private OrderOptions options = new OrderOptions();

    @Override
    public Integer call() throws SQLException {
        return options.give(ProjectionOrders::pause);
    }
}
