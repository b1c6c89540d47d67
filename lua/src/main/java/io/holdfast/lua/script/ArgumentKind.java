package io.holdfast.lua.script;

/** What an argument of a script may be. The script checks it; ids are also checked before sending, as they become part of keys. */
public enum ArgumentKind {
    ID("id"),
    ID_OR_EMPTY("id or empty"),
    PATH("path"),
    POSITIVE("1..2^53-1"),
    WHOLE("0..2^53-1"),
    FLAG("0|1"),
    STATUS_TARGET("OPEN|PAUSED|CLOSED|SUSPECT|ARCHIVED"),
    STATUS_RESTORED("OPEN|PAUSED|CLOSED|ARCHIVED"),
    FENCES("fences"),
    FENCE_OR_EMPTY("fence or empty"),
    SEEN_OR_EMPTY("seen or empty"),
    SALE_OR_EMPTY("sale or empty"),
    FATE("OPEN|HELD|REJECTED"),
    BOUND("ANY|FIT|OUT|IN"),
    POOLS("pools"),
    LINES("lines"),
    LOOKS("looks");

    private static final int LONGEST_ID = 64;
    private static final int MOST_IDS = 4;

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
            case ID -> ids(text) == 1;
            case ID_OR_EMPTY -> text.isEmpty() || ids(text) == 1;
            case PATH -> ids(text) >= 1 && ids(text) <= MOST_IDS;
            case FENCES -> FenceLines.firstWords(text).allMatch(ID::sendable);
            case FENCE_OR_EMPTY -> text.isEmpty() || FenceLines.firstWords(text).allMatch(ID::sendable);
            case POOLS -> FenceLines.firstWords(text).allMatch(PATH::sendable);
            case LINES -> FenceLines.firstWords(text).allMatch(ID::sendable);
            case POSITIVE,
                    WHOLE,
                    FLAG,
                    STATUS_TARGET,
                    STATUS_RESTORED,
                    SEEN_OR_EMPTY,
                    SALE_OR_EMPTY,
                    FATE,
                    BOUND,
                    LOOKS -> true;
        };
    }

    /** How many ids, joined by colons, this text is; 0 when it is anything else. By hand: every call checks several. */
    private static int ids(String text) {
        int ids = 0;
        int length = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == ':') {
                if (length == 0) {
                    return 0;
                }
                ids++;
                length = 0;
            } else {
                boolean allowed = (c >= 'a' && c <= 'z')
                        || (c >= '0' && c <= '9')
                        || (c >= 'A' && c <= 'Z')
                        || c == '-'
                        || c == '_'
                        || c == '.';
                length++;
                if (!allowed || length > LONGEST_ID) {
                    return 0;
                }
            }
        }
        return length == 0 ? 0 : ids + 1;
    }
}
