package io.holdfast.engine.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.engine.projection.JournalDatabase;
import io.holdfast.localstack.SharedStack;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class BellTest {

    private final Bell bell = new Bell();
    private final AtomicInteger rings = new AtomicInteger();
    private JournalDatabase database;

    @BeforeEach
    void begin() {
        database = JournalDatabase.on(SharedStack.postgres());
        bell.add(rings::incrementAndGet);
    }

    @AfterEach
    void end() {
        bell.close();
        database.close();
    }

    private void listen() {
        bell.listen(database.sessions(), JournalDatabase.quick());
        await().until(() -> bell.listening() && rings.get() == 1); // once for what was missed
    }

    private void notifyOnce() throws SQLException {
        database.execute("notify " + Bell.CHANNEL);
    }

    @Test
    void it_rings_for_whoever_is_in_this_process_without_a_database() {
        bell.ring();
        assertThat(rings).hasValue(1);
    }

    @Test
    void it_rings_when_anybody_notifies() throws SQLException {
        listen();
        notifyOnce();
        await().until(() -> rings.get() == 2);
    }

    @Test
    void it_listens_again_after_its_session_was_lost_and_rings_for_what_it_may_have_missed() throws SQLException {
        listen();
        database.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'holdfast bell'"
                        + " and datname = current_database()");
        await().until(() -> rings.get() == 2);
        notifyOnce();
        await().until(() -> rings.get() == 3);
    }

    @Test
    void closed_it_no_longer_listens() throws SQLException {
        listen();
        bell.close();
        await().until(() -> database.query(
                        "select from pg_stat_activity where application_name = 'holdfast bell' and datname ="
                                + " current_database()")
                .isEmpty());
        assertThat(bell.listening()).isFalse();
    }
}
