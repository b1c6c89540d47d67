package io.holdfast.node;

import io.holdfast.lua.redis.ScriptListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Times script calls by script and result; logs connections that come and go. */
final class ScriptMetrics implements ScriptListener {

    private static final Logger LOG = LoggerFactory.getLogger(ScriptMetrics.class);

    private final MeterRegistry registry;
    /** By script and result: looked up at every call, which the registry is slow for. */
    private final Map<String, Map<String, Timer>> timers = new ConcurrentHashMap<>();

    ScriptMetrics(MeterRegistry registry) {
        this.registry = registry;
        // Shown from the start, as 0.
        registry.counter("holdfast.redis.connects");
        registry.counter("holdfast.redis.disconnects");
    }

    @Override
    public void answered(String script, String result, Duration took) {
        timers.computeIfAbsent(script, _ -> new ConcurrentHashMap<>())
                .computeIfAbsent(
                        result, name -> registry.timer("holdfast.redis.scripts", "script", script, "result", name))
                .record(took);
    }

    @Override
    public void connected(String server, String process) {
        registry.counter("holdfast.redis.connects").increment();
        LOG.info("Connected to Redis at {}", server);
    }

    @Override
    public void disconnected(String server, String why) {
        registry.counter("holdfast.redis.disconnects").increment();
        LOG.warn("Lost Redis at {}: {}", server, why);
    }
}
