package io.holdfast.node;

import io.holdfast.engine.projection.Ordered;
import io.holdfast.engine.projection.OrderedBy;
import io.holdfast.engine.projection.ProjectionOrders;
import java.sql.SQLException;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What every order to a projection has in common. */
final class OrderOptions {

    @Mixin
    private ConfigOption config = new ConfigOption();

    @Parameters(index = "0", paramLabel = "PROJECTION", description = "As `projection list` names it.")
    private String projection = "";

    @Option(
            names = "--by",
            paramLabel = "WHO",
            defaultValue = "${sys:user.name}",
            description = "Who gives the order, to be written down (${DEFAULT-VALUE}).")
    private String who = "";

    @Option(names = "--reason", paramLabel = "WHY", defaultValue = "", description = "Why, to be written down.")
    private String why = "";

    /** One order. */
    @FunctionalInterface
    interface Order {
        Ordered give(ProjectionOrders orders, String projection, OrderedBy by) throws SQLException;
    }

    /** Gives it and says what becomes of it: exit code 1 if it was refused. */
    int give(Order order) throws SQLException {
        var orders = new ProjectionOrders(Sessions.ofCommands(config.load().postgres()));
        return switch (order.give(orders, projection, new OrderedBy(who, why))) {
            case Ordered.Accepted(String what) -> {
                System.out.println(what);
                yield ExitCode.OK;
            }
            case Ordered.Refused(String reason) -> {
                System.err.println("holdfast: " + reason + ".");
                yield ExitCode.SOFTWARE;
            }
        };
    }
}
