/**
 * What goes over the wire: one record per request body and per answer, and the mapping from and to the domain by exhaustive switches.
 * Names of components are the names in JSON (in snake case). No route, no response, no decision.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.http.wire;
