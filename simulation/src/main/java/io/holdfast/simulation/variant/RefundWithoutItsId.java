package io.holdfast.simulation.variant;

/** A refund that comes again is another one. */
final class RefundWithoutItsId extends WrongVariant.InScripts {

    RefundWithoutItsId() {
        super("refund");
    }

    @Override
    public String what() {
        return "does not look whether this refund was done before";
    }

    @Override
    String wrong(String text) {
        return otherwise(text, "if fence.kept then\n", "if false then\n");
    }
}
