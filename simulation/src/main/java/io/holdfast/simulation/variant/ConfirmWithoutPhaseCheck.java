package io.holdfast.simulation.variant;

/** What is confirmed already is confirmed once more. */
final class ConfirmWithoutPhaseCheck extends WrongVariant.InScripts {

    ConfirmWithoutPhaseCheck() {
        super("confirm");
    }

    @Override
    public String what() {
        return "confirms whatever the phase of the fence is";
    }

    @Override
    String wrong(String text) {
        return otherwise(
                otherwise(text, "if fence.phase == 'CONFIRMED' then", "if false then"),
                "if fence.phase ~= 'RESERVED' then return no('CONTRADICTION', books, fence.phase) end",
                "");
    }
}
