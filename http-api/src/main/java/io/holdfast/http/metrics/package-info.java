/**
 * What the HTTP side counts, and the page Prometheus reads. Labels have few values: never an id, a path or anything else a caller
 * chooses.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.http.metrics;
