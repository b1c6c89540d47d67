/**
 * What callers of this module's ports rely on, as suites that run on the real adapters here, and on the models of them where those are. Tests
 * of one adapter alone belong beside it.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.messaging.conformance;
