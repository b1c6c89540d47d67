package io.holdfast.node;

/** How a node came to its end. */
public enum Ended {
    /** Somebody asked it to stop. */
    STOPPED,
    /** The other nodes removed it, or it removed itself because it could not see the majority. */
    REMOVED,
    /** No seed node could be joined. */
    NOT_JOINED
}
