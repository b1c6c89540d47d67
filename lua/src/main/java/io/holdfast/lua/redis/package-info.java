/**
 * The port over Redis: connections that are checked before they are used and never re-send by themselves, routing by URL (standalone,
 * Sentinel, Cluster), and what each error of Redis or of the connection means for the caller. No stock rule belongs in here: those are in
 * the scripts.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.lua.redis;
