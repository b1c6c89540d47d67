package io.holdfast.simulation.variant;

/** A release leaves the fence as it was. */
final class NoFenceOnCancel extends WrongVariant.InScripts {

    NoFenceOnCancel() {
        super("cancel");
    }

    @Override
    public String what() {
        return "gives units back without writing that into the fence";
    }

    @Override
    String wrong(String text) {
        String write = "write_fence(books, 'phase', phase, 'quantity'";
        return otherwise(
                text,
                write,
                "do return answer(result, '0', record(books), digits(arg.now), arg.operation_id) end\n" + write);
    }
}
