package io.holdfast.engine.machine;

/**
 * The reason of an expected "no". Each machine has one enum of them; {@link EngineRefusal} holds those the engine itself says.
 */
public interface Refusal {

    /** Stable code in UPPER_SNAKE_CASE; part of the API. */
    String code();

    /** One sentence for a person. */
    String explanation();

    /** Whether asking again, unchanged and under the same id, can succeed later. An id that ended stays ended: then false. */
    boolean retryable();
}
