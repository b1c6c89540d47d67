package io.holdfast.engine.journal.jdbc;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Journal rows for tests. */
final class Rows {

    private Rows() {}

    static JournalRow row(String id, long number, String writer) {
        return row(id, number, writer, "{\"of\":\"" + id + "\",\"number\":" + number + "}");
    }

    static JournalRow row(String id, long number, String writer, String payload) {
        return new JournalRow(
                id,
                number,
                false,
                writer,
                1_700_000_000_000L + number,
                "",
                new JournalRow.Stored(17, "test", payload.getBytes(StandardCharsets.UTF_8)),
                null);
    }

    /** Rows from one number to another of one entity. */
    static List<JournalRow> rows(String id, long from, long to, String writer) {
        List<JournalRow> rows = new ArrayList<>();
        for (long number = from; number <= to; number++) {
            rows.add(row(id, number, writer));
        }
        return rows;
    }
}
