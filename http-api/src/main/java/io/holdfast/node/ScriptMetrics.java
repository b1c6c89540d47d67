package io.holdfast.node;

import io.holdfast.lua.redis.ScriptListener;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Times script calls by script and result; logs connections that come and go. */
final class ScriptMetrics implements ScriptListener {

    private static final Logger LOG = LoggerFactory.getLogger(ScriptMetrics.class);

    private final MeterRegistry registry;

    ScriptMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void answered(String script, String result, Duration took) {
        registry.timer("holdfast.redis.scripts", "script", script, "result", result)
                .record(took);
    }

    @Override
    public void connected(String server) {
        registry.counter("holdfast.redis.connects").increment();
        LOG.info("Connected to Redis at {}", server);
    }

    @Override
    public void disconnected(String server, String why) {
        registry.counter("holdfast.redis.disconnects").increment();
        LOG.warn("Lost Redis at {}: {}", server, why);
    }
}
