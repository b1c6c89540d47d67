package io.holdfast.compensation.domain;

/**
 * Where the reservation's journal stood when it asked. What was found out under an earlier one may have been undone since, by a Redis that
 * was loaded anew or lost what it had: it is found out again.
 *
 * @param generation of the reservation; another one after every freeze of its pool
 * @param epoch of the pool, as the reservation's journal has it: the only one to call its script under
 */
public record Asked(long generation, long epoch) {

    /**
     * Whether this makes that one void. Generations have no order, epochs have: one of an earlier epoch comes from a copy of the reservation
     * that was left behind.
     */
    boolean replaces(Asked other) {
        return epoch >= other.epoch && !equals(other);
    }
}
