package io.holdfast.node;

import io.holdfast.engine.projection.ProjectionOrders;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Rebuilds a projection. */
@Command(
        name = "rebuild",
        mixinStandardHelpOptions = true,
        description =
                "Has a projection forget everything and read the journal from the beginning; one that delivers to the"
                        + " outside delivers everything again.")
final class ProjectionRebuildCommand implements Callable<Integer> {

    @Mixin
    private OrderOptions options = new OrderOptions();

    @Override
    public Integer call() throws SQLException {
        return options.give(ProjectionOrders::rebuild);
    }
}
