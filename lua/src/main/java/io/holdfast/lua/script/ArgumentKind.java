package io.holdfast.lua.script;

import java.util.regex.Pattern;

/** What an argument of a script may be. The script checks it; ids are also checked before sending, as they become part of keys. */
public enum ArgumentKind {
    ID("id"),
    ID_OR_EMPTY("id or empty"),
    PATH("path"),
    POSITIVE("1..2^53-1"),
    WHOLE("0..2^53-1"),
    FLAG("0|1"),
    STATUS_TARGET("OPEN|PAUSED|CLOSED|SUSPECT|ARCHIVED"),
    STATUS_RESTORED("OPEN|PAUSED|CLOSED|ARCHIVED");

    private static final Pattern AN_ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final Pattern A_PATH = Pattern.compile("[A-Za-z0-9._-]{1,64}(:[A-Za-z0-9._-]{1,64}){0,3}");

    private final String inHeader;

    ArgumentKind(String inHeader) {
        this.inHeader = inHeader;
    }

    /** As the header of a script writes it. */
    public String inHeader() {
        return inHeader;
    }

    /** Whether this text may be sent at all. Numbers and names are left to the script, whose answer is the same everywhere. */
    boolean sendable(String text) {
        return switch (this) {
            case ID -> AN_ID.matcher(text).matches();
            case ID_OR_EMPTY -> text.isEmpty() || AN_ID.matcher(text).matches();
            case PATH -> A_PATH.matcher(text).matches();
            case POSITIVE, WHOLE, FLAG, STATUS_TARGET, STATUS_RESTORED -> true;
        };
    }
}
