/**
 * What callers of the order service's ports rely on, as suites that run on the model and on the real database, and the model itself. Tests of
 * one adapter alone belong beside it.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.order.conformance;
