/**
 * Reading the journal in the order it became visible, once each, and keeping tables in step with it: the reader, the runner, what a
 * handler is, how far a projection has come, and {@link io.holdfast.engine.projection.OwedProjection}, the one projection every machine
 * needs. Plain JDBC on PostgreSQL; no Pekko, no domain. What a projection writes belongs to the module whose table it is.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.engine.projection;
