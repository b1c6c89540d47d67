package io.holdfast.http.route;

/**
 * What uploads may cost.
 *
 * @param uploads under way at a time
 * @param bytes of one
 * @param lines of one; results of so many are kept until they are taken
 * @param lineBytes of one line
 */
public record BulkLimits(int uploads, long bytes, int lines, int lineBytes) {}
