package io.holdfast.engine.projection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class JournalStretchTest {

    private static final List<Slices> ALL = List.of(Slices.all());

    private static JournalRow row(long xid, int bytes) {
        return new JournalRow("m|" + xid, 1, xid, 1, "", new byte[bytes]);
    }

    /** The rows behind {@code from}, up to and with {@code to}. */
    private static JournalStretch stretch(long from, long to) {
        return new JournalStretch(
                ALL,
                new Offset(from, 1),
                LongStream.rangeClosed(from + 1, to)
                        .mapToObj(xid -> row(xid, 10))
                        .toList());
    }

    private static List<Long> xids(List<JournalRow> rows) {
        return rows.stream().map(JournalRow::xid).toList();
    }

    private static List<Long> behind(JournalStretch stretch, long place, int limit) {
        return xids(stretch.after(ALL, new Offset(place, 1), limit));
    }

    // the first reads rows 5 to 8; the second is read later
    @ParameterizedTest(name = "{0} to {1} is read later: kept {2} to {3}")
    @CsvSource({
        "9, 12,  5, 12", // goes on where it ended
        "7, 12,  5, 12", // overlaps it
        "5, 12,  5, 12", // has all of it
        "4, 12,  4, 12", // begins before it
        "10, 12, 10, 12", // leaves a gap
    })
    void what_is_read_later_continues_a_stretch_unless_that_would_leave_a_hole(
            long from, long to, long first, long last) {
        JournalStretch both = stretch(4, 8).continuedBy(stretch(from - 1, to));

        assertThat(both.from()).isEqualTo(new Offset(first - 1, 1));
        assertThat(xids(both.rows()))
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(first, last).boxed().toList());
    }

    @ParameterizedTest(name = "from {0}, at most {1}: {2} rows from {3} on")
    @CsvSource({
        "4, 10, 4, 5",
        "6, 10, 2, 7",
        "6, 1,  1, 7",
        "3, 10, 0, 0", // a row before it may be missing
        "8, 10, 0, 0", // its end: there may be more by now
        "9, 10, 0, 0",
    })
    void rows_behind_a_place_are_given_only_if_all_that_follow_the_place_are_there(
            long place, int limit, int found, long first) {
        assertThat(behind(stretch(4, 8), place, limit))
                .containsExactlyElementsOf(
                        LongStream.range(first, first + found).boxed().toList());
    }

    @Test
    void slices_are_not_mixed() {
        List<Slices> half = List.of(new Slices(0, 63));
        JournalStretch ofHalf = new JournalStretch(half, new Offset(8, 1), List.of(row(10, 10)));

        assertThat(stretch(4, 8).after(half, new Offset(4, 1), 10)).isEmpty();
        assertThat(stretch(4, 8).continuedBy(ofHalf)).isEqualTo(ofHalf);
    }

    @ParameterizedTest(name = "{0} rows of {1} bytes")
    @CsvSource({"1000, 10", "400, 1000000", "30000, 10", "3, 20000000"})
    void the_oldest_rows_go_when_there_are_too_many_or_they_are_too_large(int rows, int bytes) {
        byte[] payload = new byte[bytes];
        JournalStretch kept = new JournalStretch(ALL, new Offset(0, 1), List.of(row(1, 10)));
        for (int i = 2; i <= rows; i += 2) {
            List<JournalRow> next = new ArrayList<>();
            for (long xid = i; xid < i + 2; xid++) {
                next.add(new JournalRow("m|" + xid, 1, xid, 1, "", payload));
            }
            kept = kept.continuedBy(new JournalStretch(ALL, kept.end(), next));

            assertThat(kept.rows()).hasSizeLessThanOrEqualTo(Math.max(2, JournalStretch.MOST_ROWS));
            assertThat(kept.rows().stream()
                            .mapToLong(row -> row.payload().length)
                            .sum())
                    .isLessThanOrEqualTo(Math.max(2L * bytes, JournalStretch.MOST_BYTES));
            assertThat(kept.from())
                    .as("what went is not said to be there")
                    .isEqualTo(new Offset(kept.rows().getFirst().xid() - 1, 1));
        }
    }

    @ParameterizedTest
    @CsvSource({"1", "2", "3", "4", "5"})
    void readers_that_take_steps_of_any_length_get_every_row_once(long seed) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        long written = 0;
        @Nullable JournalStretch known = null;
        long[] at = new long[4];
        List<List<Long>> got = IntStream.range(0, at.length)
                .mapToObj(_ -> (List<Long>) new ArrayList<Long>())
                .toList();
        for (int step = 0; step < 2000; step++) {
            written += random.nextInt(5);
            int reader = random.nextInt(at.length);
            int limit = 1 + random.nextInt(40);
            List<JournalRow> rows = known == null ? List.of() : known.after(ALL, new Offset(at[reader], 1), limit);
            if (rows.isEmpty() && at[reader] < written) {
                JournalStretch read = stretch(at[reader], Math.min(written, at[reader] + limit));
                if (known == null || known.end().compareTo(read.end()) < 0) {
                    known = known == null ? read : known.continuedBy(read);
                }
                rows = read.rows();
            }
            got.get(reader).addAll(xids(rows));
            at[reader] += rows.size();
        }
        for (List<Long> each : got) {
            assertThat(each)
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, each.size()).boxed().toList());
        }
    }
}
