package io.holdfast.engine.projection;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The offset moves after the handler's acknowledgement. Refused events park their entities; everything else that fails is repeated. */
final class AtLeastOnce implements Promise {

    private static final Duration SESSION_CHECKED_EVERY = Duration.ofSeconds(1);

    private final DeliveryHandler handler;
    private final Shares shares;
    private final Duration ackTimeout;

    AtLeastOnce(DeliveryHandler handler, Shares shares, ProjectionSettings settings) {
        this.handler = handler;
        this.shares = shares;
        this.ackTimeout = settings.ackTimeout();
    }

    @Override
    public void advance(Connection connection, Group group, List<JournalRow> rows, Offset to) throws SQLException {
        List<JournalRow> due = shares.notParked(rows);
        List<Delivery.Refused> refused = firstOfEachEntity(due, deliver(connection, due));
        if (refused.size() <= shares.room()) {
            commit(connection, group, refused, to);
            shares.listener().advanced(handler.name(), due.size() - refused.size(), rows.size() - due.size());
            return;
        }
        // As far as there is room; what was acknowledged behind that is delivered again.
        Delivery.Refused stop = refused.get(shares.room());
        int before = rows.indexOf(stop.row());
        if (before > 0) {
            commit(connection, group, refused.subList(0, shares.room()), Offset.of(rows.get(before - 1)));
        }
        throw shares.full(stop.row(), stop.reason(), null);
    }

    private void commit(Connection connection, Group group, List<Delivery.Refused> refused, Offset to)
            throws SQLException {
        List<ParkedEntity> parked = new ArrayList<>();
        Transactions.commit(connection, () -> {
            for (Delivery.Refused each : refused) {
                parked.add(shares.parkedTable().park(connection, each.row(), storable(each.reason())));
            }
            shares.move(connection, group, to);
        });
        shares.moved(group, to);
        shares.areParked(parked);
    }

    @Override
    public Optional<Stuck> again(Connection connection, List<JournalRow> rows) throws SQLException {
        Optional<Delivery.Refused> refused =
                firstOfEachEntity(rows, deliver(connection, rows)).stream().findFirst();
        if (refused.isEmpty() && !rows.isEmpty()) {
            JournalRow last = rows.getLast();
            Transactions.commit(
                    connection,
                    () -> shares.parkedTable().moved(connection, last.persistenceId(), last.sequenceNumber() + 1));
        }
        return refused.map(each -> new Stuck(each.row(), storable(each.reason())));
    }

    @Override
    public void leaveOut(Connection connection, JournalRow row) {
        // Nothing was delivered, and nothing has to be noted.
    }

    @Override
    public void clear(Connection connection, Slices slices) {
        // What was delivered can't be taken back: it is delivered again.
    }

    /** In the order of the rows. */
    private List<Delivery.Refused> firstOfEachEntity(List<JournalRow> rows, Delivery delivery) throws SQLException {
        Map<String, Delivery.Refused> refused = new LinkedHashMap<>();
        delivery.refused().forEach(each -> refused.put(each.row().eventId(), each));
        List<Delivery.Refused> first = new ArrayList<>();
        Set<String> entities = new HashSet<>();
        for (JournalRow row : rows) {
            Delivery.Refused its = refused.remove(row.eventId());
            if (its != null && entities.add(row.persistenceId())) {
                first.add(its);
            }
        }
        if (!refused.isEmpty()) {
            throw new SQLException("projection " + handler.name() + " refused events it was not given: "
                    + refused.keySet().iterator().next());
        }
        return first;
    }

    /** Waits, and looks now and then whether this node still has the right to go on. */
    private Delivery deliver(Connection connection, List<JournalRow> rows) throws SQLException {
        if (rows.isEmpty()) {
            return Delivery.COMPLETE;
        }
        long deadline = System.nanoTime() + ackTimeout.toNanos();
        CompletableFuture<Delivery> answer = handler.deliver(rows).toCompletableFuture();
        while (true) {
            long left = Math.min(deadline - System.nanoTime(), SESSION_CHECKED_EVERY.toNanos());
            try {
                return answer.get(Math.max(0, left), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                if (System.nanoTime() - deadline >= 0) {
                    throw new SQLException(
                            "projection " + handler.name() + " was not told within " + ackTimeout + " that "
                                    + rows.size() + " events from "
                                    + rows.getFirst().eventId() + " on have arrived",
                            e);
                }
                try (Statement s = connection.createStatement()) {
                    s.execute("select 1");
                }
            } catch (ExecutionException e) {
                throw new SQLException(
                        "projection " + handler.name() + " could not deliver " + rows.size() + " events from "
                                + rows.getFirst().eventId() + " on: " + e.getCause(),
                        e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new SQLException("interrupted while " + handler.name() + " delivers", e);
            }
        }
    }

    private static String storable(String reason) {
        return RowFailure.storable(reason);
    }
}
