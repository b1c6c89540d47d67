package io.holdfast.engine.machine;

/** What the engine refuses on its own, before a machine is asked. */
public enum EngineRefusal implements Refusal {
    /** A request came under a known cause id with other content. Nothing changed. */
    KEY_REUSED("This idempotency key was used before with other content; nothing was changed.", false),
    /** The command was addressed to another entity than the one it reached. Nothing changed. */
    WRONG_ENTITY("The command reached an entity it was not addressed to; nothing was changed.", true),
    /** The entity already holds as many unanswered commands as it may. Nothing changed. */
    TOO_MANY_WAITING("Too many callers are waiting for this entity; nothing was changed.", true),
    /** The entity's journal can't be read by this version, so it does not serve rather than guess. */
    JOURNAL_UNREADABLE("The journal of this entity can't be read by this version; it does not serve.", true);

    private final String explanation;
    private final boolean retryable;

    EngineRefusal(String explanation, boolean retryable) {
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

    /** This refusal as the reason why an entity was unavailable: there it has no state to be a verdict on. */
    public String asReason() {
        return code() + ": " + explanation;
    }

    /** Whether {@link #asReason} of this refusal is what an unavailable outcome says. */
    public boolean isReasonOf(String why) {
        return why.equals(asReason());
    }
}
