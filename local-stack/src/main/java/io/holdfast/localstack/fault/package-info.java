/**
 * Faults between a client and a real server, for tests: a TCP proxy that loses, delays and holds what passes through it. It
 * knows bytes and connections only, never what a protocol means.
 */
@NullMarked
package io.holdfast.localstack.fault;

import org.jspecify.annotations.NullMarked;
