/**
 * What users of the ports rely on, whoever implements them: a suite per port, and the fakes that keep it. Every suite runs on the fake and on
 * the real thing, and is shown to fail over one that does nothing. Tests of how an implementation does it do not belong here.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.reservation.conformance;
