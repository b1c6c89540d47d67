/**
 * Reconciliation across systems: orders against reservations, payments against orders, final stock against orders. What a pair of records
 * means is decided by {@code SystemRules} without a store; whatever is put right is put right by an ordinary command to a machine.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.reconciliation.systems;
