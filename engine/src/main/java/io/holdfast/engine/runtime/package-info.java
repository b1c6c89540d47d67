/**
 * The imperative shell: one sharded, event-sourced entity for any machine, its effect supervisor, the sweeper. Pekko lives here and
 * nowhere below; no domain may be named here.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.engine.runtime;
