/**
 * The bench: scenarios that measure the product whole and beside its raw limits, check the sums afterwards, and say which of the wanted
 * figures are met. Nothing of the product depends on it.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.bench;
