package io.holdfast.node;

import java.sql.SQLException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Has a parked entity tried again. */
@Command(name = "retry", mixinStandardHelpOptions = true, description = "Has a parked entity tried again now.")
final class ProjectionRetryCommand implements Callable<Integer> {

    @Mixin
    private OrderOptions options = new OrderOptions();

    @Parameters(index = "1", paramLabel = "ENTITY", description = "As machine|id, as `projection parked` shows it.")
    private String entity = "";

    @Override
    public Integer call() throws SQLException {
        return options.give((orders, projection, by) -> orders.retry(projection, entity, by));
    }
}
