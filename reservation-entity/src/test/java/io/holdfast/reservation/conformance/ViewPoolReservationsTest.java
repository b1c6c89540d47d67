package io.holdfast.reservation.conformance;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.engine.entity.Entry;
import io.holdfast.engine.entity.Meta;
import io.holdfast.engine.journal.JournalCodec;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.projection.JournalRow;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.ReservationMachine;
import io.holdfast.reservation.port.PoolReservations;
import io.holdfast.reservation.view.ReservationQueries;
import io.holdfast.reservation.view.ReservationViewProjection;
import io.holdfast.reservation.view.ViewPoolReservations;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** The view in PostgreSQL keeps the contract. */
class ViewPoolReservationsTest extends PoolReservationsConformance {

    private static HikariDataSource database;

    private final JournalCodec<ReservationEvent> codec = JournalCodec.of(ReservationEvent.class);
    private long ordering;

    @BeforeAll
    static void start() {
        database = MigratedDatabase.fresh("pool_reservations");
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    @AfterEach
    void clean() throws Exception {
        try (var connection = database.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("delete from reservation_view");
        }
    }

    @Override
    void journaled(String id, ReservationEvent... events) throws Exception {
        var meta = new Meta(
                Instant.parse("2026-07-25T12:30:00Z"),
                new Cause("c", "", Cause.Kind.REQUEST, "shop", Optional.empty()),
                Optional.empty());
        List<JournalRow> rows = new ArrayList<>();
        for (int i = 0; i < events.length; i++) {
            byte[] payload = codec.encode(new Entry.Happened<>(events[i], meta));
            rows.add(new JournalRow(ReservationMachine.NAME + "|" + id, i + 1, 100, ++ordering, "", payload));
        }
        try (var connection = database.getConnection()) {
            connection.setAutoCommit(false);
            new ReservationViewProjection().handleAll(connection, rows);
            connection.commit();
        }
    }

    @Override
    PoolReservations reservations() {
        return new ViewPoolReservations(new ReservationQueries(database), Runnable::run);
    }
}
