package io.holdfast.engine.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.audit.AuditLine.Broken;
import io.holdfast.engine.audit.AuditLine.Missing;
import io.holdfast.engine.audit.AuditLine.Step;
import io.holdfast.engine.entity.Parcel;
import io.holdfast.engine.entity.ParcelMachine;
import io.holdfast.engine.journal.JournalCodec;
import io.holdfast.engine.journal.JsonCodec;
import io.holdfast.engine.projection.JournalDatabase;
import io.holdfast.localstack.SharedStack;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** On journal rows written by hand: what the auditor says must not depend on what the runtime writes today. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class AuditorTest {

    private JournalDatabase database;
    private Auditor<Parcel.State, Parcel.Event> auditor;

    @BeforeEach
    void begin() {
        database = JournalDatabase.on(SharedStack.postgres());
        auditor = new Auditor<>(
                new ParcelMachine(),
                JournalCodec.of(Parcel.Event.class),
                JsonCodec.of(Parcel.State.class),
                database.pool());
    }

    @AfterEach
    void end() {
        database.close();
    }

    private static String entry(int second, String type, String data) {
        return """
            {"v":1,"type":"%s","at":"2026-01-01T00:00:%02dZ",
             "cause":{"id":"k-%d","hash":"h","kind":"REQUEST","actor":"shop","trace":"t-%d"},
             "wake_at":"2026-01-01T00:01:00Z","data":%s}\
            """.formatted(type, second, second, second, data);
    }

    private static final String PACKED = entry(1, "Packed", "{\"item\":\"vase\",\"careful\":true}");
    private static final String NOTED = entry(2, "Noted", "{\"text\":\"fragile\"}");
    private static final String STALLED = entry(
            3,
            "EffectStalled",
            "{\"operation_id\":\"SHIP:vase\",\"effect\":\"ship\",\"attempts\":9,\"last_error\":\"down\"}");
    private static final String SHIPPED = entry(4, "ShippedOut", "{\"tracking\":\"z-1\"}");

    private void journal(String... entries) throws SQLException {
        for (int i = 0; i < entries.length; i++) {
            database.append("parcel|p:1", i + 1, entries[i]);
        }
    }

    private AuditTrail<Parcel.State> all() throws SQLException {
        return auditor.replay("p:1", AuditScope.everything());
    }

    private static List<String> states(AuditTrail<?> trail) {
        return trail.lines().stream()
                .map(line -> line instanceof Step step
                        ? step.after().map(AuditLine.StateAfter::name).orElse("?")
                        : line.getClass().getSimpleName())
                .toList();
    }

    @Test
    void every_entry_is_shown_with_who_why_and_when_and_the_state_it_led_to() throws SQLException {
        journal(PACKED, NOTED, STALLED, SHIPPED);
        AuditTrail<Parcel.State> trail = all();

        assertThat(trail.sound()).isTrue();
        assertThat(trail.more()).isFalse();
        assertThat(states(trail)).containsExactly("Packing", "Packing", "Packing", "Shipped");
        Step noted = (Step) trail.lines().get(1);
        assertThat(noted.sequenceNumber()).isEqualTo(2);
        assertThat(noted.at()).isEqualTo(Instant.parse("2026-01-01T00:00:02Z"));
        assertThat(noted.cause().id()).isEqualTo("k-2");
        assertThat(noted.cause().actor()).isEqualTo("shop");
        assertThat(noted.cause().traceId()).contains("t-2");
        assertThat(noted.writer()).isEqualTo("w");
        assertThat(noted.type()).isEqualTo("Noted");
        assertThat(noted.data().get("text").asText()).isEqualTo("fragile");
        assertThat(noted.wakeAt()).contains(Instant.parse("2026-01-01T00:01:00Z"));
        assertThat(noted.after().orElseThrow().content().get("notes").get(0).asText())
                .isEqualTo("fragile");
        Step stalled = (Step) trail.lines().get(2);
        assertThat(stalled.type()).isEqualTo("EffectStalled");
        assertThat(stalled.data().get("last_error").asText()).isEqualTo("down");
        assertThat(trail.end().orElseThrow().sequenceNumber()).isEqualTo(4);
        assertThat(trail.end().orElseThrow().state()).isInstanceOf(Parcel.State.Shipped.class);
    }

    @Test
    void an_entity_without_a_journal_has_no_lines_and_is_in_its_initial_state() throws SQLException {
        database.append("parcel|p:12", 1, PACKED);
        AuditTrail<Parcel.State> trail = all();
        assertThat(trail.lines()).isEmpty();
        assertThat(trail.sound()).isTrue();
        assertThat(trail.end().orElseThrow().state()).isInstanceOf(Parcel.State.Empty.class);
    }

    @Test
    void as_of_a_moment_it_ends_with_the_last_entry_decided_by_then() throws SQLException {
        journal(PACKED, NOTED, STALLED, SHIPPED);
        assertThat(states(auditor.replay("p:1", AuditScope.until(Instant.parse("2026-01-01T00:00:02Z")))))
                .containsExactly("Packing", "Packing");
        AuditTrail<Parcel.State> before =
                auditor.replay("p:1", AuditScope.until(Instant.parse("2026-01-01T00:00:00.999Z")));
        assertThat(before.lines()).isEmpty();
        assertThat(before.end().orElseThrow().state()).isInstanceOf(Parcel.State.Empty.class);
    }

    @Test
    void a_page_begins_where_the_last_one_ended() throws SQLException {
        journal(PACKED, NOTED, STALLED, SHIPPED);
        AuditTrail<Parcel.State> first = auditor.replay("p:1", AuditScope.page(0, 3));
        AuditTrail<Parcel.State> second = auditor.replay("p:1", AuditScope.page(3, 3));
        assertThat(states(first)).containsExactly("Packing", "Packing", "Packing");
        assertThat(first.more()).isTrue();
        assertThat(states(second)).containsExactly("Shipped");
        assertThat(second.more()).isFalse();
        assertThat(auditor.replay("p:1", AuditScope.page(0, 4)).more()).isFalse();
    }

    @Test
    void entries_that_are_missing_are_named_and_no_state_is_claimed_behind_them() throws SQLException {
        database.append("parcel|p:1", 2, NOTED);
        database.append("parcel|p:1", 5, SHIPPED);
        AuditTrail<Parcel.State> trail = all();
        assertThat(trail.lines().get(0)).isEqualTo(new Missing(1, 1));
        assertThat(trail.lines().get(2)).isEqualTo(new Missing(3, 4));
        assertThat(states(trail)).containsExactly("Missing", "?", "Missing", "?");
        assertThat(trail.sound()).isFalse();
        assertThat(trail.end()).isEqualTo(Optional.empty());
    }

    @Test
    void an_entry_this_version_can_not_read_is_shown_as_it_is_and_no_state_is_claimed_behind_it() throws SQLException {
        String future = PACKED.replace("\"v\":1", "\"v\":2");
        for (String bad :
                List.of(future, entry(2, "Teleported", "{}"), entry(2, "Noted", "{}"), "no json \u00e9", "{}")) {
            database.execute("truncate event_journal");
            journal(PACKED, bad, SHIPPED);
            AuditTrail<Parcel.State> trail = all();
            assertThat(states(trail)).containsExactly("Packing", "Broken", "?");
            assertThat(((Broken) trail.lines().get(1)).stored()).isEqualTo(bad);
            assertThat(((Broken) trail.lines().get(1)).why()).isNotBlank();
            assertThat(trail.end()).isEqualTo(Optional.empty());
        }
    }

    @Test
    void an_entry_marked_as_deleted_is_no_part_of_the_entity_and_is_reported() throws SQLException {
        journal(PACKED, NOTED, SHIPPED);
        database.execute("update event_journal set deleted = true where sequence_number = 2");
        assertThat(states(all())).containsExactly("Packing", "Broken", "?");
    }

    @Test
    void another_writer_is_shown_and_is_no_fault() throws SQLException {
        journal(PACKED, NOTED, SHIPPED);
        database.execute("update event_journal set writer = 'next life' where sequence_number = 3");
        AuditTrail<Parcel.State> trail = all();
        assertThat(trail.sound()).isTrue();
        assertThat(((Step) trail.lines().get(2)).writer()).isEqualTo("next life");
    }

    @Test
    void a_journal_longer_than_one_fetch_is_replayed_whole() throws SQLException {
        database.append("parcel|p:1", 1, PACKED);
        database.execute(
                "insert into event_journal (persistence_id, sequence_number, writer, event_ser_id, event_ser_manifest,"
                        + " event_payload) select 'parcel|p:1', n, 'w', 1, '', convert_to('" + NOTED
                        + "', 'UTF8') from generate_series(2, 1200) n");
        AuditTrail<Parcel.State> trail = all();
        assertThat(trail.lines()).hasSize(1200);
        assertThat(trail.end().orElseThrow().sequenceNumber()).isEqualTo(1200);
    }
}
