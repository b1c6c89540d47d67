package io.holdfast.engine.runtime;

/** What an entity's actor sends back. */
sealed interface EntityResponse<S> extends ClusterMessage {

    record Answered<S>(String machine, Reply<S> reply) implements EntityResponse<S> {}

    /** It can't answer. */
    record NotAnswered<S>(String machine, String entityId, Certainty certainty, String why)
            implements EntityResponse<S> {}

    /** What is known about a command that is not answered. */
    enum Certainty {
        /** It may have been journaled. */
        UNKNOWN,
        /** It was not taken. */
        NOT_TAKEN
    }
}
