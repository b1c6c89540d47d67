package io.holdfast.bench.micro;

import io.holdfast.engine.machine.Decision;
import io.holdfast.engine.machine.Owed;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationEffect;
import io.holdfast.reservation.domain.ReservationEvent;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The pure functions of the reservation machine. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MachineBenchmark {

    private final Reservation none = Sample.MACHINE.initial(Sample.ID);
    private final ReservationEvent requested =
            Sample.MACHINE.decide(none, Sample.RESERVE, Sample.NOW).events().getFirst();
    private final Reservation preparing = Sample.MACHINE.evolve(none, requested);
    private final ReservationEvent granted = Sample.MACHINE
            .decide(preparing, Sample.GRANTED, Sample.NOW)
            .events()
            .getFirst();
    private final Reservation reserved = Sample.MACHINE.evolve(preparing, granted);

    @Benchmark
    public Decision<ReservationEvent> decide_reserve() {
        return Sample.MACHINE.decide(none, Sample.RESERVE, Sample.NOW);
    }

    @Benchmark
    public Decision<ReservationEvent> decide_granted() {
        return Sample.MACHINE.decide(preparing, Sample.GRANTED, Sample.NOW);
    }

    @Benchmark
    public Reservation evolve_requested() {
        return Sample.MACHINE.evolve(none, requested);
    }

    @Benchmark
    public Reservation evolve_granted() {
        return Sample.MACHINE.evolve(preparing, granted);
    }

    @Benchmark
    public Owed<ReservationEffect> owe_preparing() {
        return Sample.MACHINE.owe(preparing);
    }

    @Benchmark
    public Owed<ReservationEffect> owe_reserved() {
        return Sample.MACHINE.owe(reserved);
    }

    @Benchmark
    public Verdict verdict_reserved() {
        return Sample.MACHINE.verdict(reserved, Sample.RESERVE);
    }
}
