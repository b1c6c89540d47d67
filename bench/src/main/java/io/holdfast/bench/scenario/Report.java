package io.holdfast.bench.scenario;

import io.holdfast.bench.Contender;
import io.holdfast.bench.Measured;
import io.holdfast.bench.Options;
import io.holdfast.bench.gauge.Meters;
import io.holdfast.bench.raw.RawRate;
import io.holdfast.bench.report.Figure;
import io.holdfast.bench.report.Result;
import io.holdfast.bench.report.Surroundings;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Prints a run as it goes along, and collects what becomes of it. */
final class Report {

    private final String scenario;
    private final Options options;
    private final Surroundings surroundings;
    private final PrintStream out;
    private final List<String> off = new ArrayList<>();
    private final List<Figure> figures = new ArrayList<>();
    private @Nullable Double opsPerS;
    private @Nullable Double p50Ms;
    private @Nullable Double p99Ms;
    private Result.@Nullable CpuPerOperation cpu;
    private Result.@Nullable Raw raw;
    private @Nullable Double ratioRaw;
    private @Nullable Double ratioStock;
    private @Nullable Double ratioSqlRow;

    /** Prints where the run takes place. */
    Report(String scenario, Options options, Surroundings surroundings, PrintStream out) {
        this.scenario = scenario;
        this.options = options;
        this.surroundings = surroundings;
        this.out = out;
        out.printf(
                Locale.ROOT,
                "%n== %s: %d outstanding, %d pools, %.0f s each ==%n",
                scenario,
                options.outstanding(),
                options.pools(),
                options.counted().toMillis() / 1000.0);
        surroundings.machine().forEach((name, value) -> out.println("machine     " + name + ": " + value));
        surroundings.versions().forEach((name, value) -> out.println("version     " + name + ": " + value));
        surroundings.durability().forEach((name, value) -> out.println("durability  " + name + ": " + value));
    }

    PrintStream out() {
        return out;
    }

    /** What the run is about. */
    void main(Contender contender, Measured measured) {
        print(contender, measured);
        Meters.Reading used = measured.used();
        main(
                measured.perSecond(),
                measured.p50Millis(),
                measured.p99Millis(),
                new Result.CpuPerOperation(
                        measured.each(used.jvm()),
                        measured.each(used.postgres()),
                        measured.each(used.redis()),
                        used.kafka().isPresent() ? measured.each(used.kafka().getAsLong()) : null));
    }

    /** What the run is about, where it is measured whole: how often a second, how often in all, and what that used. */
    void main(double perSecond, long operations, Meters.Reading used) {
        main(perSecond, null, null, cpuEach(operations, used));
    }

    /** What each of so many operations used, which is printed. */
    Result.CpuPerOperation cpuEach(long operations, Meters.Reading used) {
        double each = 1.0 / Math.max(1, operations);
        var cpuEach = new Result.CpuPerOperation(
                used.jvm() * each,
                used.postgres() * each,
                used.redis() * each,
                used.kafka().isPresent() ? used.kafka().getAsLong() * each : null);
        out.printf(
                Locale.ROOT,
                "    cpu us each %.1f: jvm %.1f, postgres %.1f, redis %.1f, kafka %.1f%n",
                used.all() * each,
                used.jvm() * each,
                used.postgres() * each,
                used.redis() * each,
                used.kafka().orElse(0) * each);
        return cpuEach;
    }

    /** What the run is about, where it is no load of this process. */
    void main(
            @Nullable Double perSecond,
            @Nullable Double p50,
            @Nullable Double p99,
            Result.@Nullable CpuPerOperation perOperation) {
        opsPerS = perSecond;
        p50Ms = p50;
        p99Ms = p99;
        cpu = perOperation;
    }

    /** One of those beside it. */
    void print(Contender contender, Measured measured) {
        Meters.Reading used = measured.used();
        out.printf(
                Locale.ROOT,
                "%s: %,.0f a second (%,d in %.1f s); ms p50 %.2f, p99 %.2f, p99.9 %.2f, longest %.1f%n",
                contender.name(),
                measured.perSecond(),
                measured.operations(),
                measured.seconds(),
                measured.p50Millis(),
                measured.p99Millis(),
                measured.micros().getValueAtPercentile(99.9) / 1000.0,
                measured.micros().getMaxValue() / 1000.0);
        out.printf(
                Locale.ROOT,
                "    cpu us each %.1f: jvm %.1f, postgres %.1f, redis %.1f; %,.0f bytes allocated each%n",
                measured.each(used.all()),
                measured.each(used.jvm()),
                measured.each(used.postgres()),
                measured.each(used.redis()),
                measured.each(used.allocated()));
        measured.failures()
                .forEach((why, count) ->
                        off("%s: %d operations ended otherwise: %s".formatted(contender.name(), count, why)));
    }

    /** A raw limit that is only shown. */
    void print(RawRate rate) {
        String half =
                rate.p50Micros() == 0 ? "" : String.format(Locale.ROOT, ", p50 %.2f ms", rate.p50Micros() / 1000.0);
        out.printf(Locale.ROOT, "raw, %s: %,.0f a second%s%n", rate.name(), rate.perSecond(), half);
    }

    /** The raw limit of the run, and what share of it was reached. */
    void raw(RawRate rate, double reachedPerSecond) {
        print(rate);
        raw = new Result.Raw(rate.name(), rate.perSecond());
        ratioRaw = reachedPerSecond / rate.perSecond();
    }

    void ratioStock(double ratio) {
        ratioStock = ratio;
    }

    void ratioSqlRow(double ratio) {
        ratioSqlRow = ratio;
    }

    void figure(Figure figure) {
        figures.add(figure);
    }

    /** Something that does not add up. */
    void off(String what) {
        off.add(what);
    }

    void off(List<String> all) {
        off.addAll(all);
    }

    /** Prints the last lines. */
    Result end() {
        figures.forEach(figure -> out.println("figure  " + figure.line()));
        off.forEach(what -> out.println("OFF  " + what));
        out.println(off.isEmpty() ? "sums: all agree" : "sums: OFF");
        return new Result(
                scenario,
                options.outstanding(),
                options.pools(),
                opsPerS,
                p50Ms,
                p99Ms,
                cpu,
                raw,
                ratioRaw,
                ratioStock,
                ratioSqlRow,
                off.isEmpty(),
                surroundings.machine(),
                surroundings.versions(),
                surroundings.durability());
    }
}
