package io.holdfast.testkit.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Supplier;

/**
 * Virtual time: a queue of what happens next. Nothing else moves the clock, and nothing runs beside it. Events of the same moment run in an
 * order drawn from the seed, and each draws from a stream of its own.
 */
public final class Timeline {

    private final Chance chance;
    private final PriorityQueue<Planned> queue = new PriorityQueue<>();
    private final List<String> trace = new ArrayList<>();
    private Instant now;
    private long planned;
    private long steps;
    private boolean traced = true;

    private record Planned(Instant at, long stream, long number, Supplier<String> what, Event event, Runnable run)
            implements Comparable<Planned> {

        @Override
        public int compareTo(Planned other) {
            int earlier = at.compareTo(other.at);
            if (earlier == 0) {
                earlier = Long.compare(stream, other.stream);
            }
            return earlier == 0 ? Long.compare(number, other.number) : earlier;
        }
    }

    /** A planned event, to be cancelled before it happens. */
    public static final class Event {
        private boolean cancelled;

        private Event() {}

        /** It no longer happens. */
        public void cancel() {
            cancelled = true;
        }
    }

    /** Starts at a moment. */
    public Timeline(Instant start, Chance chance) {
        this.now = start;
        this.chance = chance;
    }

    /** No trace is kept from now on: for runs that nobody will read, which would go the same way with one. */
    public void untraced() {
        traced = false;
    }

    /** Whether a trace is kept. */
    public boolean isTraced() {
        return traced;
    }

    /** The moment of the event that is running. */
    public Instant now() {
        return now;
    }

    /** How many events have happened. */
    public long steps() {
        return steps;
    }

    /**
     * Plans an event.
     *
     * @param what for the trace; empty for one that nobody wants to read about
     */
    public Event after(Duration delay, String what, Runnable run) {
        return after(delay, () -> what, run);
    }

    /**
     * Plans an event.
     *
     * @param what for the trace, made only where there is one
     */
    public Event after(Duration delay, Supplier<String> what, Runnable run) {
        Event event = new Event();
        queue.add(new Planned(now.plus(delay), chance.branch(), planned++, what, event, run));
        return event;
    }

    /** Lets the next event happen. False when nothing is planned. */
    public boolean step() {
        Planned next = queue.poll();
        while (next != null && next.event().cancelled) {
            next = queue.poll();
        }
        if (next == null) {
            return false;
        }
        now = next.at();
        chance.goOn(next.stream());
        steps++;
        if (traced) {
            note(next.what().get());
        }
        next.run().run();
        return true;
    }

    /** Adds a line to the trace; an empty one is left out. */
    public void note(String line) {
        if (traced && !line.isEmpty()) {
            trace.add(now + " #" + steps + " " + line);
        }
    }

    /** Every line of the run, oldest first. */
    public List<String> trace() {
        return Collections.unmodifiableList(trace);
    }
}
