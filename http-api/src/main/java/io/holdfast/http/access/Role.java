package io.holdfast.http.access;

/** What a caller is to a fleet. A caller may have several. */
public enum Role {
    /** A merchant's system: sells, and reads what it sold. */
    CLIENT("asks for holds and tells of their orders; reads pools, reservations and orders"),
    /** Who buys: only what bears the caller's own name as {@code user_id}. */
    USER("is let into sales, pays and calls off orders, and reads reservations and orders: its own alone, those"
            + " whose `user_id` is the caller's name"),
    /** A person or system that keeps stock and decides what waits for a decision. */
    OPERATOR("sets up and changes pools and baselines, freezes and resolves, compares and repairs, and reads"
            + " everything"),
    /** Whoever checks what happened. */
    AUDITOR("reads everything, journals and evidence among it, and changes nothing"),
    /** May do everything. */
    ADMIN("may do everything");

    private final String meaning;

    Role(String meaning) {
        this.meaning = meaning;
    }

    /** What it may do, for people. */
    public String meaning() {
        return meaning;
    }

    /** As settings, tokens and documents write it. */
    public String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
