package io.holdfast.testkit.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Virtual time: a queue of what happens next. Nothing else moves the clock, and nothing runs beside it. Events of the same moment run in an
 * order drawn from the seed.
 */
public final class Timeline {

    private final Chance chance;
    private final PriorityQueue<Planned> queue = new PriorityQueue<>(
            Comparator.comparing(Planned::at).thenComparing(Planned::order).thenComparing(Planned::number));
    private final List<String> trace = new ArrayList<>();
    private Instant now;
    private long planned;
    private long steps;

    private record Planned(Instant at, double order, long number, String what, Event event, Runnable run) {}

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
        Event event = new Event();
        queue.add(new Planned(now.plus(delay), chance.fraction(), planned++, what, event, run));
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
        steps++;
        note(next.what());
        next.run().run();
        return true;
    }

    /** Adds a line to the trace; an empty one is left out. */
    public void note(String line) {
        if (!line.isEmpty()) {
            trace.add(now + " #" + steps + " " + line);
        }
    }

    /** Every line of the run, oldest first. */
    public List<String> trace() {
        return Collections.unmodifiableList(trace);
    }
}
