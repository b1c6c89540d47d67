/**
 * The stock scripts as a typed port: one request record and one sealed reply per script, and what they share. No Redis client in here
 * (that is {@code redis}), no script text (that is {@code script} and the resources), and no decision: what a reply means for a
 * reservation or a pool is decided by their machines.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.lua;
