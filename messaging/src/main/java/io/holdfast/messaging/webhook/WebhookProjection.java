package io.holdfast.messaging.webhook;

import io.holdfast.engine.projection.JournalRow;
import io.holdfast.engine.projection.ProjectionHandler;
import io.holdfast.engine.projection.Slices;
import io.holdfast.messaging.out.JournalMessages;
import io.holdfast.messaging.out.JournalMessages.Written;
import io.holdfast.messaging.out.OutgoingMessage;
import io.holdfast.messaging.webhook.Webhooks.Called;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Makes the deliveries of what the journal announces, for every webhook that is about it: exactly once, in the transaction that moves the
 * offset. Without webhooks nothing is decoded.
 *
 * <p>A webhook is told of the transactions after its own. The reader gives none of those before its transaction and every older one have
 * ended, so it is seen here by then.
 */
public final class WebhookProjection implements ProjectionHandler {

    /** Name of the projection. */
    public static final String NAME = "webhooks";

    private final JournalMessages messages;
    private final String source;

    /**
     * @param messages used by nobody else
     * @param source where events of this fleet come from
     */
    public WebhookProjection(JournalMessages messages, String source) {
        this.messages = messages;
        this.source = source;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void handle(Connection connection, JournalRow row) throws SQLException {
        handleAll(connection, List.of(row));
    }

    @Override
    public void handleAll(Connection connection, List<JournalRow> rows) throws SQLException {
        List<Called> called = Webhooks.called(connection);
        long first = called.stream().mapToLong(Called::since).min().orElse(Long.MAX_VALUE);
        List<JournalRow> due = rows.stream().filter(row -> row.xid() > first).toList();
        if (due.isEmpty()) {
            return;
        }
        var insert = new DeliveryInsert(connection, source, false);
        for (Written written : messages.of(due)) {
            switch (written) {
                case Written.Announced(JournalRow row, List<OutgoingMessage> announced, var _) -> {
                    for (Called webhook : called) {
                        if (row.xid() > webhook.since()) {
                            insert.add(webhook.id(), webhook.about(), row, announced);
                        }
                    }
                }
                case Written.Unreadable(JournalRow row, String why) ->
                    throw new IllegalStateException(row.eventId() + " can't be told: " + why);
            }
        }
        insert.execute();
    }

    /** What was made of an event is known by its id. */
    @Override
    public boolean takesAgain() {
        return true;
    }

    /** What was sent can't be taken back, and what is remembered is not made again. */
    @Override
    public void clear(Connection connection, Slices slices) {}
}
