package io.holdfast.engine.projection;

/**
 * Something that is kept in step with the journal, by one of two promises: a {@link ProjectionHandler} writes into this database, exactly
 * once; a {@link DeliveryHandler} hands events to something outside it, at least once. Either way the events of one entity come in the
 * order of their sequence numbers.
 */
public sealed interface Projection permits ProjectionHandler, DeliveryHandler {

    /** Stable name: the key of the offset, of metrics and logs. Lower case, never changed once released. */
    String name();
}
