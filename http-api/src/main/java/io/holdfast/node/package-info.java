/**
 * A running node: its command line, the checks before it starts, how its parts are wired, and how it stops. The only place that knows
 * every part; no rule of any machine and no route belongs here.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.node;
