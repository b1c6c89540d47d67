package io.holdfast.node;

import io.holdfast.config.Settings;
import io.holdfast.messaging.in.ParkedEvent;
import io.holdfast.messaging.in.ParkedEvents;
import java.sql.SQLException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What is asked of parked events. Needs the database alone; a node tries them again. */
@Command(
        name = "parked",
        mixinStandardHelpOptions = true,
        description = "Events that were understood and wait until it is known whom they concern.")
final class ParkedEventsCommand {

    private static final int PAGE = 200;

    @Command(name = "list", mixinStandardHelpOptions = true, description = "Those that wait, longest first, with why.")
    int list(@Mixin ConfigOption config) throws SQLException {
        ParkedEvents table = table(config);
        long after = 0;
        List<ParkedEvent> page;
        do {
            page = table.list(after, PAGE);
            for (ParkedEvent event : page) {
                System.out.printf(
                        "%d  %s  %s  %s  of %s  at %s%n      %s (tried %d times, next %s)%n",
                        event.id(),
                        event.parkedAt(),
                        event.type(),
                        event.causeId(),
                        event.key(),
                        event.event().place(),
                        event.reason(),
                        event.attempts(),
                        event.retryAt());
                after = event.id();
            }
        } while (page.size() == PAGE);
        System.out.println(table.backlog().events() + " waiting");
        return 0;
    }

    @Command(name = "retry", mixinStandardHelpOptions = true, description = "Has all of them tried again now.")
    int retry(@Mixin ConfigOption config) throws SQLException {
        System.out.println(table(config).retryNow() + " are tried again by the nodes that run");
        return 0;
    }

    @Command(name = "discard", mixinStandardHelpOptions = true, description = "Gives one up; it stays in the table.")
    int discard(
            @Mixin ConfigOption config,
            @Parameters(paramLabel = "ID", description = "As the list has it.") long id,
            @Option(names = "--reason", required = true, description = "Why it need not be delivered.") String reason)
            throws SQLException {
        String who = System.getProperty("user.name", "somebody");
        if (table(config).settle(id, "discarded by " + who + ": " + reason)) {
            System.out.println("discarded");
            return 0;
        }
        System.err.println("holdfast: no event of id " + id + " waits.");
        return 1;
    }

    private static ParkedEvents table(ConfigOption config) {
        Settings settings = config.load();
        Logging.errorsOnly();
        return new ParkedEvents(
                Sessions.single(settings.postgres(), settings.postgres().projector()), Runnable::run);
    }
}
