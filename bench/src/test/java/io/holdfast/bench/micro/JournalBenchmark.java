package io.holdfast.bench.micro;

import io.holdfast.engine.entity.Entry;
import io.holdfast.engine.entity.Meta;
import io.holdfast.engine.journal.JournalCodec;
import io.holdfast.reservation.domain.ReservationEvent;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Events to the bytes of the journal, and back. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class JournalBenchmark {

    private final JournalCodec<ReservationEvent> codec = JournalCodec.of(ReservationEvent.class);
    private final Entry<ReservationEvent> entry = new Entry.Happened<>(
            Sample.MACHINE
                    .decide(Sample.MACHINE.initial(Sample.ID), Sample.RESERVE, Sample.NOW)
                    .events()
                    .getFirst(),
            new Meta(Sample.NOW, Sample.CAUSE, Optional.of(Sample.NOW)));
    private final byte[] bytes = codec.encode(entry);

    @Benchmark
    public byte[] encode_hold_requested() {
        return codec.encode(entry);
    }

    @Benchmark
    public Entry<ReservationEvent> decode_hold_requested() {
        return codec.decode(bytes);
    }
}
