package io.holdfast.simulation.variant;

/** What is claimed is off the list before its reservation has it. */
final class ListedNoMoreOnceClaimed extends WrongVariant.InScripts {

    ListedNoMoreOnceClaimed() {
        super("claim_due");
    }

    @Override
    public String what() {
        return "takes an admitted hold off the list when it is claimed, not when it is journaled";
    }

    @Override
    String wrong(String text) {
        return otherwise(
                text,
                "redis.call('ZADD', arg.due, digits(arg.lease_until), due[i])",
                "redis.call('ZREM', arg.due, due[i])");
    }
}
