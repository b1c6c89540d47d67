/**
 * What one entity of any machine is, still pure: its journal entries, the fold over them, and the rules of the shell (causes, owed
 * effects, waiting callers) as a function from input to steps. The actor in {@code runtime} and the deterministic simulation both
 * carry out these same steps. Only the JDK and {@code machine}, {@code effect} may be imported.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.engine.entity;
