package io.holdfast.chaos;

/**
 * A promise that was not kept.
 *
 * @param claim which
 * @param what the evidence, in one line
 */
record Violation(String claim, String what) {

    @Override
    public String toString() {
        return claim + ": " + what;
    }
}
