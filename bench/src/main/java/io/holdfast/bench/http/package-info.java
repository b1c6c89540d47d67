/**
 * Holds over HTTP from a process of its own: connections that are kept open, and as little work a request as can be, so that what is
 * measured is the node and not its caller.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.bench.http;
