package io.holdfast.node;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What was started, to be stopped in the opposite order, each whatever happens to the others. */
final class Closing implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Closing.class);

    private record Part(String name, AutoCloseable part) {}

    private final Deque<Part> parts = new ArrayDeque<>();
    private boolean clean = true;

    /** Remembers a part and hands it back. */
    synchronized <T extends AutoCloseable> T add(String name, T part) {
        parts.push(new Part(name, part));
        return part;
    }

    /** Whether all that was stopped so far stopped as it should. */
    synchronized boolean clean() {
        return clean;
    }

    @Override
    public synchronized void close() {
        while (!parts.isEmpty()) {
            Part next = parts.pop();
            try {
                next.part().close();
            } catch (Exception e) {
                clean = false;
                LOG.warn("{} did not stop cleanly", next.name(), e);
            }
        }
    }
}
