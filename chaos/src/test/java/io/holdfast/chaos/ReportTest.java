package io.holdfast.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.chaos.Op.Kind;
import io.holdfast.chaos.Op.Told;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ReportTest {

    private static final long SECOND = 1_000_000;

    private static Op hold(long from, long to, Told told) {
        return new Op(from, to, Kind.HOLD, "r" + from, "m1:soup", 1, "", told, "", -1, "");
    }

    @Test
    void what_a_kind_of_fault_did_is_the_longest_silence_while_it_was_there_and_after() {
        List<Op> ops = new ArrayList<>(LongStream.rangeClosed(0, 10)
                .mapToObj(second -> hold(second * SECOND, second * SECOND + 1, Told.DONE))
                .toList());
        ops.add(hold(11 * SECOND, 14 * SECOND, Told.UNKNOWN)); // no answer at all
        ops.add(hold(12 * SECOND, 17 * SECOND, Told.DONE));
        ops.add(hold(18 * SECOND, 19 * SECOND, Told.REFUSED)); // an answer, too
        ops.add(hold(60 * SECOND, 90 * SECOND, Told.DONE));
        var kill = new Injection(11 * SECOND, 13 * SECOND, "node killed", "node 1", false, false);
        var earlier = new Injection(2 * SECOND, 3 * SECOND, "node killed", "node 2", false, false);
        var toll = Report.tolls(ops, List.of(earlier, kill)).get("node killed");
        assertThat(toll.times()).isEqualTo(2);
        assertThat(toll.call()).isEqualTo(5 * SECOND);
        assertThat(toll.silence()).as("from 19 s on nobody asked until 60 s").isEqualTo(71 * SECOND);
    }
}
