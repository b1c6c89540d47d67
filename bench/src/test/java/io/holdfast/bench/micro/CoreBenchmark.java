package io.holdfast.bench.micro;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.entity.CoreLimits;
import io.holdfast.engine.entity.Entity;
import io.holdfast.engine.entity.EntityCore;
import io.holdfast.engine.entity.Input;
import io.holdfast.engine.entity.Moment;
import io.holdfast.engine.entity.Step;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationEffect;
import io.holdfast.reservation.domain.ReservationEvent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/** A running entity without anything it runs on. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CoreBenchmark {

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /** From a fresh entity to the caller who is told that it holds: two journal writes, one effect, one answer. */
    @Benchmark
    public void a_whole_hold(Blackhole hole) {
        var core = new EntityCore<Reservation, ReservationCommand, ReservationEvent, ReservationEffect, String>(
                Sample.MACHINE, CoreLimits.defaults(), Entity.fresh(Sample.MACHINE, Sample.ID));
        var moment = new Moment(Sample.NOW, 1000);
        hole.consume(core.recovered(moment, 0.5));
        hole.consume(
                core.on(new Input.Asked<>(Sample.ID, Sample.CAUSE, Sample.RESERVE, PATIENCE, "asker"), moment, 0.5));
        List<Step<Reservation, ReservationEvent, ReservationEffect, String>> steps = core.persisted(moment, 0.5);
        String operation = steps.stream()
                .filter(Step.Perform.class::isInstance)
                .map(step -> ((Step.Perform<?, ?, ?, ?>) step).effect().operationId())
                .findFirst()
                .orElseThrow();
        hole.consume(core.on(new Input.AttemptEnded<>(operation, 1, Outcome.known(Sample.GRANTED)), moment, 0.5));
        hole.consume(core.persisted(moment, 0.5));
        if (!core.entity().state().status().equals(Reservation.Status.RESERVED)) {
            throw new IllegalStateException("no hold, but " + core.entity().state());
        }
    }
}
