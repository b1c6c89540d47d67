package io.holdfast.simulation.variant;

/** A record is done with as soon as it is read. */
final class CommitsBeforeHandling extends WrongVariant {

    @Override
    public String what() {
        return "commits the offset of a record before it is handled";
    }

    @Override
    public boolean commitsBeforeHandling() {
        return true;
    }
}
