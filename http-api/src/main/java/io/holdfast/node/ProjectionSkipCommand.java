package io.holdfast.node;

import java.sql.SQLException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lets a projection go on without one event. */
@Command(
        name = "skip",
        mixinStandardHelpOptions = true,
        description = "Lets a projection go on without the event an entity is parked at, should it still not be able to"
                + " handle it. What it shows of that entity is wrong from then on. Needs --reason.")
final class ProjectionSkipCommand implements Callable<Integer> {

    @Mixin
    private OrderOptions options = new OrderOptions();

    @Parameters(index = "1", paramLabel = "ENTITY", description = "As machine|id, as `projection parked` shows it.")
    private String entity = "";

    @Parameters(index = "2", paramLabel = "EVENT", description = "The number of the event it is parked at.")
    private long event;

    @Override
    public Integer call() throws SQLException {
        return options.give((orders, projection, by) -> orders.skip(projection, entity, event, by));
    }
}
