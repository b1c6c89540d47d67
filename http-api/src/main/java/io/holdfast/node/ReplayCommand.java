package io.holdfast.node;

import io.holdfast.config.Settings;
import io.holdfast.engine.audit.AuditScope;
import io.holdfast.engine.audit.AuditTrail;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Replays one entity's journal. Needs the database alone: no node has to run. */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        description =
                "Every step an entity took, who asked for it and why, and the state after each; replayed through the"
                    + " same functions that decided it. Exit code 1 when the journal is not sound or there is none.")
final class ReplayCommand implements Callable<Integer> {

    @Mixin
    private ConfigOption config = new ConfigOption();

    @Parameters(
            paramLabel = "ID",
            description =
                    "A reservation (32 hex digits), a pool (merchant:dish:day), or machine|id as the journal has it.")
    private String id = "";

    @Option(
            names = "--until",
            paramLabel = "INSTANT",
            description = "Only what was decided up to this moment, such as 2026-11-29T12:00:00Z.",
            converter = InstantConverter.class)
    private @Nullable Instant until;

    @Override
    public Integer call() throws SQLException {
        Settings settings = config.load();
        Optional<Audits.Subject> subject = Audits.subject(id);
        if (subject.isEmpty()) {
            System.err.println("holdfast: no machine is named in " + id + "; known are "
                    + String.join(", ", Audits.machines()) + ".");
            return ExitCode.USAGE;
        }
        AuditScope scope = until == null ? AuditScope.everything() : AuditScope.until(until);
        AuditTrail<?> trail = subject.get().replay(settings, scope);
        if (trail.lines().isEmpty()) {
            System.err.println("holdfast: " + trail.persistenceId() + " has no journal"
                    + (until == null ? "." : " at that time."));
            return ExitCode.SOFTWARE;
        }
        AuditText.print(trail, System.out);
        return trail.sound() ? ExitCode.OK : ExitCode.SOFTWARE;
    }
}
