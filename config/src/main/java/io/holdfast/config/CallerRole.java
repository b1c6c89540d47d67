package io.holdfast.config;

/** What a caller of the API is to the fleet. */
public enum CallerRole {
    /** A merchant's system. */
    CLIENT,
    /** Who buys. */
    USER,
    /** Keeps stock, and decides what waits for a decision. */
    OPERATOR,
    /** Sees everything and changes nothing. */
    AUDITOR,
    /** May do everything. */
    ADMIN
}
