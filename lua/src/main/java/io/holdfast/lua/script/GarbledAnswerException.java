package io.holdfast.lua.script;

/** An answer that is not one of the script's, or belongs to another call. What the call did is then unknown. */
public final class GarbledAnswerException extends Exception {
    private static final long serialVersionUID = 1L;

    public GarbledAnswerException(String message) {
        super(message);
    }
}
