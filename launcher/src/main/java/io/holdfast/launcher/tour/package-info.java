/**
 * The guided walk: one class per step, each of which does something through the public API, shows what came back, and checks a promise.
 * Steps know nothing of the inside of a node; what they can't see over HTTP, in the audit, or in Redis they can't check.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.launcher.tour;
