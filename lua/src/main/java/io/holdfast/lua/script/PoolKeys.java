package io.holdfast.lua.script;

import java.util.Optional;

/** The keys of a pool in Redis. Its id is the hash tag; or it comes behind the tag it shares with others. */
public final class PoolKeys {

    private PoolKeys() {}

    /** What all its keys begin with. */
    public static String prefix(String pool, Optional<String> tag) {
        return tag.map(shared -> "hf:{" + shared + "}@" + pool).orElseGet(() -> "hf:{" + pool + "}");
    }

    static String stock(String pool, Optional<String> tag) {
        return prefix(pool, tag) + ":stock";
    }

    static String operations(String pool, Optional<String> tag) {
        return prefix(pool, tag) + ":ops";
    }

    static String notes(String pool, Optional<String> tag) {
        return prefix(pool, tag) + ":notes";
    }

    static String due(String pool, Optional<String> tag) {
        return prefix(pool, tag) + ":due";
    }

    static String admitted(String pool, Optional<String> tag) {
        return prefix(pool, tag) + ":admitted";
    }

    static String fence(String pool, Optional<String> tag, String reservation) {
        return prefix(pool, tag) + ":r:" + reservation;
    }
}
