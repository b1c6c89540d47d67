package io.holdfast.engine.machine;

import java.util.List;

/**
 * What one command does in one state, found by running the machine.
 *
 * @param state kind of the state
 * @param stateSample kind and variant of the state
 * @param command kind of the command
 * @param commandSample kind and variant of the command
 * @param result what happened
 */
public record Cell(String state, String stateSample, String command, String commandSample, Result result) {

    /** What a command does. Events, states and refusals by name. */
    public sealed interface Result {

        /** Accepted; the entity ends in another kind of state, having passed through {@code path}. */
        record Moves(List<String> events, List<String> path, Verdict verdict) implements Result {
            public Moves {
                events = List.copyOf(events);
                path = List.copyOf(path);
            }

            /** The kind of state it ends in. */
            public String next() {
                return path.getLast();
            }
        }

        /** Accepted and journaled; the kind of state stays. */
        record Noted(List<String> events, Verdict verdict) implements Result {
            public Noted {
                events = List.copyOf(events);
            }
        }

        /** Nothing happens; it is answered with what happened the first time. */
        record Repeats(Verdict verdict) implements Result {}

        /** An expected no, with the events that record it, if any. */
        record Refuses(String code, List<String> recorded) implements Result {
            public Refuses {
                recorded = List.copyOf(recorded);
            }
        }

        /** The machine failed: this state can't meet this command, or one of them is a bad example. */
        record Breaks(String why) implements Result {}
    }
}
