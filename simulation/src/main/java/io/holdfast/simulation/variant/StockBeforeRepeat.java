package io.holdfast.simulation.variant;

/** The stock test comes before the repeat test. */
final class StockBeforeRepeat extends WrongVariant.InScripts {

    StockBeforeRepeat() {
        super("try");
    }

    @Override
    public String what() {
        return "tests the stock before it tests whether the hold is there already";
    }

    @Override
    String wrong(String text) {
        String repeat = "local fence = read_fence(books, 'try')\n";
        return otherwise(text, repeat, """
            if books.status == 'OPEN' and books.available < arg.quantity then
                return answer('SHORT', '0', record(books), digits(arg.now))
            end
            """ + repeat);
    }
}
