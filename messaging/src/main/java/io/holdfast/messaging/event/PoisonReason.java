package io.holdfast.messaging.event;

/** Why an event can't be understood. The names are in the headers of dead letters. */
public enum PoisonReason {
    /** A value of null, as compacted topics have it, or an empty one. */
    NO_DATA,
    /** Larger than this node takes. */
    TOO_LARGE,
    /** A CloudEvents attribute is missing, malformed, or of another version of CloudEvents. */
    NOT_A_CLOUD_EVENT,
    /** A type that this topic is not known to carry. */
    UNKNOWN_TYPE,
    /** Written under a schema version this node does not know. Replayed once a version that knows it runs. */
    UNSUPPORTED_SCHEMA_VERSION,
    /** Not JSON by its content type. */
    UNSUPPORTED_CONTENT_TYPE,
    /** Not JSON, or beyond the limits of what is read. */
    NOT_JSON,
    /** JSON that lacks something, or holds what can't be. */
    INVALID_DATA
}
