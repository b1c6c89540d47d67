/**
 * A model of Redis for tests and simulation: the real script files, run by Lua 5.1 in this JVM over hashes in memory. One thread, no
 * clock, no randomness. What scripts do belongs into the script files, not in here.
 */
package io.holdfast.lua.model;
