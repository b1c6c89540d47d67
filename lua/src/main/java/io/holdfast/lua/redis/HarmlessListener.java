package io.holdfast.lua.redis;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps a listener that throws from breaking what it listens to; its fault is logged. */
final class HarmlessListener implements ScriptListener {

    private static final Logger LOG = LoggerFactory.getLogger(HarmlessListener.class);

    private final ScriptListener listener;

    HarmlessListener(ScriptListener listener) {
        this.listener = listener;
    }

    @Override
    public void answered(String script, String result, Duration took) {
        tell(() -> listener.answered(script, result, took));
    }

    @Override
    public void connected(String server, String process) {
        tell(() -> listener.connected(server, process));
    }

    @Override
    public void disconnected(String server, String why) {
        tell(() -> listener.disconnected(server, why));
    }

    private static void tell(Runnable told) {
        try {
            told.run();
        } catch (RuntimeException e) {
            LOG.error("A listener of the Redis client threw", e);
        }
    }
}
