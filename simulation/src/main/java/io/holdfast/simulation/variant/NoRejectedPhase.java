package io.holdfast.simulation.variant;

/** A hold that was turned down leaves no fence. */
final class NoRejectedPhase extends WrongVariant.InScripts {

    NoRejectedPhase() {
        super("try");
    }

    @Override
    public String what() {
        return "keeps no REJECTED fence of a hold that was turned down";
    }

    @Override
    String wrong(String text) {
        String now = "local now, after = digits(arg.now), record(books)\n";
        return otherwise(text, now, now + "if result ~= 'HELD' then return answer(result, '0', after, now) end\n");
    }
}
