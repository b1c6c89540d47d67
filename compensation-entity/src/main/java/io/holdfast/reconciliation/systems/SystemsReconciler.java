package io.holdfast.reconciliation.systems;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.fleet.FleetWork;
import io.holdfast.engine.fleet.Pause;
import io.holdfast.reconciliation.FindingClass;
import io.holdfast.reconciliation.JournalSide;
import io.holdfast.reconciliation.systems.SystemsTables.AllRun;
import io.holdfast.reconciliation.systems.SystemsTables.Page;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares systems with each other, once for each reconciliation of all pools and in its mode: one page a round, by one node of the fleet.
 * What nobody sees any more after a whole pass is gone. A pass that is cut short is made again, and a repair that was begun is given again
 * under its id.
 */
public final class SystemsReconciler implements FleetWork {

    /** Identity of the work. */
    public static final String NAME = "reconciliation across systems";

    private static final Logger LOG = LoggerFactory.getLogger(SystemsReconciler.class);
    private static final Duration LOOKS_FOR_RUNS_EVERY = Duration.ofSeconds(1);
    private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(10);
    private static final String ASKED_BY = "reconciliation";

    private final JournalSide journals;
    private final SystemCommands commands;
    private final SystemsListener listener;
    private final Duration margin;

    private long handled;
    private @Nullable Pass pass;

    /**
     * A reconciler that has not begun.
     *
     * @param journals says up to when the views have everything
     * @param commands puts right what may be put right
     * @param margin safety beside what is measured before something is judged
     */
    public SystemsReconciler(JournalSide journals, SystemCommands commands, SystemsListener listener, Duration margin) {
        this.journals = journals;
        this.commands = commands;
        this.listener = listener;
        this.margin = margin;
    }

    private enum Phase {
        ORDERS,
        REJECTED,
        PAYMENTS_AND_STOCK
    }

    /** Where a pass is. */
    private static final class Pass {
        private final AllRun run;
        /** By the database's clock. */
        private final Instant begun;

        private final Instant settled;
        private Phase phase = Phase.ORDERS;
        private String after = "";

        private Pass(AllRun run, Instant begun, Instant settled) {
            this.run = run;
            this.begun = begun;
            this.settled = settled;
        }

        private void on(Optional<String> next, Phase then) {
            next.ifPresentOrElse(key -> after = key, () -> {
                phase = then;
                after = "";
            });
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void begin(Connection connection) {
        pass = null;
    }

    @Override
    public Pause round(Connection connection) throws SQLException {
        Pass current = pass;
        if (current == null) {
            Optional<AllRun> latest = SystemsTables.latestOfAll(connection);
            if (latest.isEmpty() || latest.get().number() <= handled) {
                return Pause.of(LOOKS_FOR_RUNS_EVERY);
            }
            pass = new Pass(
                    latest.get(),
                    SystemsTables.now(connection),
                    journals.settledUntil().minus(margin));
            return Pause.NONE;
        }
        switch (current.phase) {
            case ORDERS -> {
                Page<OrderAndHold> page = SystemsTables.orders(connection, current.after, current.settled);
                judge(connection, current, page.found());
                current.on(page.next(), Phase.REJECTED);
            }
            case REJECTED -> {
                Page<OrderAndHold> page = SystemsTables.rejected(connection, current.after, current.settled);
                judge(connection, current, page.found());
                current.on(page.next(), Phase.PAYMENTS_AND_STOCK);
            }
            case PAYMENTS_AND_STOCK -> {
                List<SystemFinding> found = new ArrayList<>(SystemsTables.payments(connection, current.settled));
                found.addAll(SystemsTables.stock(connection));
                SystemsTables.keep(connection, found, SystemsTables.now(connection));
                SystemsTables.gone(connection, current.begun);
                listener.compared(SystemsTables.open(connection));
                handled = current.run.number();
                pass = null;
            }
        }
        return Pause.NONE;
    }

    private void judge(Connection connection, Pass current, List<OrderAndHold> pairs) throws SQLException {
        List<SystemFinding> found = new ArrayList<>();
        for (OrderAndHold pair : pairs) {
            Optional<SystemFinding> finding = SystemRules.judge(pair);
            if (finding.isPresent()) {
                found.add(leftToAPerson(connection, finding.get()));
            }
        }
        SystemsTables.keep(connection, found, SystemsTables.now(connection));
        if (current.run.repairs()) {
            for (SystemFinding finding : found) {
                if (finding.repair().isPresent()) {
                    repair(connection, finding, finding.repair().get());
                }
            }
        }
    }

    /** What was refused is refused again: telling it once more puts nothing right. */
    private static SystemFinding leftToAPerson(Connection connection, SystemFinding finding) throws SQLException {
        return finding.kind() == FindingClass.REPAIR
                        && SystemsTables.refused(connection, finding.repair().orElseThrow())
                ? finding.refused()
                : finding;
    }

    /** On record first, then the command, then what became of it: whoever dies in between leaves a repair that is given again. */
    private void repair(Connection connection, SystemFinding finding, SystemRepair repair) throws SQLException {
        if (!SystemsTables.begin(connection, repair, SystemsTables.id(finding), ASKED_BY)) {
            return;
        }
        Outcome<String> outcome = commands.tell(repair)
                .toCompletableFuture()
                .completeOnTimeout(
                        Outcome.unknown("no answer within " + ANSWERS_WITHIN.toSeconds() + " s"),
                        ANSWERS_WITHIN.toMillis(),
                        TimeUnit.MILLISECONDS)
                .join();
        switch (outcome) {
            case Outcome.Known<String>(String how) -> {
                SystemsTables.settle(connection, repair, how);
                if (finding.kind() == FindingClass.REPAIR) {
                    listener.repaired(finding.type());
                }
            }
            case Outcome.Unknown<String>(String why) ->
                LOG.debug("repair {} is not known to be made: {}", repair.id(), why);
            case Outcome.Unavailable<String>(String why) -> LOG.debug("repair {} was not made: {}", repair.id(), why);
        }
    }

    @Override
    public void failed(Throwable failure) {
        LOG.warn("comparing systems failed; it begins again", failure);
        pass = null;
    }
}
