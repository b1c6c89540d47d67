package io.holdfast.http.metrics;

import io.holdfast.http.access.Denial;
import io.holdfast.http.problem.ProblemCode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts and times requests by route template, method and status, and answers by problem code. */
public final class HttpMetrics {

    private record Kind(String route, String method, int status) {}

    private static final Duration[] BUCKETS = {
        Duration.ofMillis(1),
        Duration.ofMillis(2),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(2),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30)
    };

    private final PrometheusMeterRegistry registry;
    private final AtomicInteger inFlight;
    private final Map<Kind, Timer> timers = new ConcurrentHashMap<>();
    private final Map<String, Counter> problems = new ConcurrentHashMap<>();
    private final Map<Denial, Counter> denials = new EnumMap<>(Denial.class);

    /** Counts into this registry, which also holds what other parts count. */
    public HttpMetrics(PrometheusMeterRegistry registry) {
        this.registry = registry;
        this.inFlight = registry.gauge("holdfast.http.requests.active", new AtomicInteger());
        for (ProblemCode code : ProblemCode.values()) {
            problems.put(code.name(), problemCounter(code.name()));
        }
        for (Denial why : Denial.values()) {
            denials.put(
                    why,
                    Counter.builder("holdfast.http.denied")
                            .description("Calls that were not let through, by reason")
                            .tag("reason", why.word())
                            .register(registry));
        }
    }

    /** The registry, for other parts to count into. */
    public MeterRegistry registry() {
        return registry;
    }

    /** A request has come in. */
    public void started() {
        inFlight.incrementAndGet();
    }

    /**
     * A request was answered.
     *
     * @param route template of the route, such as {@code /v1/pools/{pool}}, or {@code unmatched}
     * @param method a method this API knows, or {@code other}
     */
    public void answered(String route, String method, int status, Duration took) {
        inFlight.decrementAndGet();
        timers.computeIfAbsent(new Kind(route, method, status), this::timer).record(took);
    }

    /** A problem with this code was answered. */
    public void problem(String code) {
        problems.computeIfAbsent(code, this::problemCounter).increment();
    }

    /** A call was not let through. */
    public void denied(Denial why) {
        Objects.requireNonNull(denials.get(why)).increment();
    }

    /** Everything the registry holds, in the text format Prometheus reads. */
    public String page() {
        return registry.scrape();
    }

    private Timer timer(Kind kind) {
        return Timer.builder("holdfast.http.requests")
                .description("HTTP requests by route template, method and status")
                .tag("route", kind.route())
                .tag("method", kind.method())
                .tag("status", Integer.toString(kind.status()))
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
    }

    private Counter problemCounter(String code) {
        return Counter.builder("holdfast.http.problems")
                .description("Problems answered, by code")
                .tag("code", code)
                .register(registry);
    }
}
