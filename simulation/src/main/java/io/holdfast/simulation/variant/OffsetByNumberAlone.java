package io.holdfast.simulation.variant;

/** The read side skips what is committed after a higher number. */
final class OffsetByNumberAlone extends WrongVariant {

    @Override
    public String what() {
        return "has the read side and the publisher go on from the highest number it has seen, though lower ones are"
                + " committed later";
    }

    @Override
    public boolean followsByNumberAlone() {
        return true;
    }
}
