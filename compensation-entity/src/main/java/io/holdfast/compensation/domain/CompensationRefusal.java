package io.holdfast.compensation.domain;

import io.holdfast.engine.machine.Refusal;

/** Why a compensation says no. The names are part of the API. */
public enum CompensationRefusal implements Refusal {
    /** Nobody asked for it. */
    UNKNOWN_COMPENSATION("No compensation was asked for under this key.", true),
    /** Known with other content, or under another key than its own. */
    OTHER_CONTENT("This compensation is known with other content; nothing was changed.", false),
    /** Nobody waits for a resolution. */
    NOT_MANUAL("This compensation does not wait for a person.", true),
    /** It is over. */
    COMPENSATION_ENDED("This compensation has ended; there is nothing to stop.", false),
    /** What is proposed is not what waits. */
    OTHER_PROPOSAL("Another resolution waits for approval; approve that one, or decline it first.", true),
    /** Nothing waits for approval. */
    NOTHING_PROPOSED("No resolution waits for approval.", true),
    /** One person alone does not decide here. */
    SAME_PERSON("A resolution is approved by another person than the one who proposed it.", true),
    /** A resolution belongs to an incident. */
    INCIDENT_MISSING("A resolution names the number of its incident.", true),
    /** Not for what is to go back here. */
    RESOLUTION_NOT_ALLOWED("This resolution is not possible for this compensation.", false);

    private final String explanation;
    private final boolean retryable;

    CompensationRefusal(String explanation, boolean retryable) {
        this.explanation = explanation;
        this.retryable = retryable;
    }

    @Override
    public String code() {
        return name();
    }

    @Override
    public String explanation() {
        return explanation;
    }

    @Override
    public boolean retryable() {
        return retryable;
    }
}
