package io.holdfast.node;

import io.holdfast.lua.redis.ScriptListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The Redis processes that this node meets, for one who has to know of each of them and is there only after the first connections are. The
 * rest of what it hears it passes on.
 */
final class RedisProcesses implements ScriptListener {

    private final ScriptListener others;
    private final List<String> met = new ArrayList<>();
    private Optional<Consumer<String>> told = Optional.empty();

    RedisProcesses(ScriptListener others) {
        this.others = others;
    }

    /** Tells of each process met so far and from now on; of the same one at every connection. Must not block. */
    synchronized void tell(Consumer<String> whom) {
        told = Optional.of(whom);
        met.forEach(whom);
        met.clear();
    }

    @Override
    public void connected(String server, String process) {
        others.connected(server, process);
        meet(process);
    }

    private synchronized void meet(String process) {
        told.ifPresentOrElse(whom -> whom.accept(process), () -> met.add(process));
    }

    @Override
    public void disconnected(String server, String why) {
        others.disconnected(server, why);
    }

    @Override
    public void answered(String script, String result, Duration took) {
        others.answered(script, result, took);
    }
}
