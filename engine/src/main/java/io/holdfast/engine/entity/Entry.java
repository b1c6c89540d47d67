package io.holdfast.engine.entity;

/**
 * One line of an entity's journal.
 *
 * @param <E> events of the machine
 */
public sealed interface Entry<E> {

    /** Who, why, when. */
    Meta meta();

    /** Something happened to the machine. */
    record Happened<E>(E event, Meta meta) implements Entry<E> {}

    /**
     * An owed effect has failed past its limit. The machine's state is untouched: the debt stays.
     *
     * @param operationId the operation that keeps failing
     * @param effect kind of effect
     * @param attempts how often it was tried
     * @param lastError what the last attempt said
     */
    record EffectStalled<E>(String operationId, String effect, int attempts, String lastError, Meta meta)
            implements Entry<E> {}
}
