package io.holdfast.http.wire;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdfast.engine.audit.AuditLine;
import io.holdfast.engine.audit.AuditTrail;
import io.holdfast.engine.machine.Cause;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One page of an entity's journal, replayed through the functions that made the decisions.
 *
 * @param entityId whose
 * @param sound false when an entry is missing or can't be read: from there on no state is claimed
 * @param entries in order
 * @param next address of the following page, if there is one
 */
public record JournalView(String entityId, boolean sound, List<EntryView> entries, Optional<String> next) {

    /**
     * One entry, or what is wrong in its place.
     *
     * @param kind EVENT, MISSING or BROKEN
     * @param last for MISSING: the last sequence number that is missing
     * @param why for BROKEN: what is wrong with it
     * @param stored for BROKEN: what is stored
     */
    public record EntryView(
            String kind,
            long sequenceNumber,
            Optional<Long> last,
            Optional<Instant> at,
            Optional<String> event,
            Optional<JsonNode> data,
            Optional<CauseView> cause,
            Optional<String> writer,
            Optional<Integer> schemaVersion,
            Optional<Instant> wakeAt,
            Optional<StateView> stateAfter,
            Optional<String> why,
            Optional<String> stored) {

        static EntryView of(AuditLine line) {
            return switch (line) {
                case AuditLine.Step step ->
                    new EntryView(
                            "EVENT",
                            step.sequenceNumber(),
                            Optional.empty(),
                            Optional.of(step.at()),
                            Optional.of(step.type()),
                            Optional.of(step.data()),
                            Optional.of(CauseView.of(step.cause())),
                            Optional.of(step.writer()),
                            Optional.of(step.schemaVersion()),
                            step.wakeAt(),
                            step.after().map(after -> new StateView(after.name(), after.content())),
                            Optional.empty(),
                            Optional.empty());
                case AuditLine.Missing(long first, long last) -> fault("MISSING", first, Optional.of(last), null, null);
                case AuditLine.Broken(long at, String why, String stored) ->
                    fault("BROKEN", at, Optional.empty(), why, stored);
            };
        }

        private static EntryView fault(
                String kind, long sequenceNumber, Optional<Long> last, @Nullable String why, @Nullable String stored) {
            return new EntryView(
                    kind,
                    sequenceNumber,
                    last,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.ofNullable(why),
                    Optional.ofNullable(stored));
        }
    }

    /** Who asked, why, and under which trace. */
    public record CauseView(String id, String hash, String kind, String actor, Optional<String> traceId) {
        static CauseView of(Cause cause) {
            return new CauseView(cause.id(), cause.hash(), cause.kind().name(), cause.actor(), cause.traceId());
        }
    }

    /** The state an event led to: its name, and all it contains. */
    public record StateView(String name, JsonNode content) {}

    /** The wire form of a page; empty when nothing was ever journaled. */
    public static Optional<JournalView> of(String entityId, AuditTrail<?> trail, int limit) {
        if (trail.lines().isEmpty()
                && trail.end().map(end -> end.sequenceNumber() == 0).orElse(false)) {
            return Optional.empty();
        }
        List<EntryView> entries = trail.lines().stream().map(EntryView::of).toList();
        Optional<String> next = trail.more() && !trail.lines().isEmpty()
                ? Optional.of(Paths.journal(entityId) + "?after="
                        + lastOf(trail.lines().getLast()) + "&limit=" + limit)
                : Optional.empty();
        return Optional.of(new JournalView(entityId, trail.sound(), entries, next));
    }

    private static long lastOf(AuditLine line) {
        return switch (line) {
            case AuditLine.Step step -> step.sequenceNumber();
            case AuditLine.Missing missing -> missing.last();
            case AuditLine.Broken broken -> broken.sequenceNumber();
        };
    }
}
