package io.holdfast.http.route;

/**
 * Who calls, as the journal will name them.
 *
 * @param name of the authenticated caller
 */
public record Caller(String name) {}
