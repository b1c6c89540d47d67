package io.holdfast.reservation.domain;

/** Which pool a request asks for. The first request of a reservation fixes it. */
public sealed interface PoolChoice {

    /** The pool. */
    PoolId pool();

    /** The caller named it: a repeat that names another one has other content. */
    record Named(PoolId pool) implements PoolChoice {}

    /** We chose it from merchant, dish and business day: a repeat on another day still means the first hold. */
    record Derived(PoolId pool) implements PoolChoice {}
}
