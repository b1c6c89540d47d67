package io.holdfast.node;

import io.holdfast.engine.projection.ProjectionOrders;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Resumes a projection. */
@Command(name = "resume", mixinStandardHelpOptions = true, description = "Lets a paused projection go on where it was.")
final class ProjectionResumeCommand implements Callable<Integer> {

    @Mixin
    private OrderOptions options = new OrderOptions();

    @Override
    public Integer call() throws SQLException {
        return options.give(ProjectionOrders::resume);
    }
}
