package io.holdfast.lua.model;

/** A script failed: a fault of the script, or a command it must not use. */
public final class ScriptFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ScriptFault(String message) {
        super(message);
    }
}
