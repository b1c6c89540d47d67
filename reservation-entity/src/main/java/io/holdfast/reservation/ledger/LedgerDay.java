package io.holdfast.reservation.ledger;

/** The day by which the rows of a pool are kept together: it follows from the pool's id. */
public final class LedgerDay {

    /** Of pools without a business day; PostgreSQL's word for a date behind all others. */
    public static final String NONE = "infinity";

    private static final String SHAPE = "0000-00-00";

    private LedgerDay() {}

    /**
     * The pool's business day as PostgreSQL reads a date, or {@link #NONE}.
     *
     * @param pool a pool's id, whose third part is a day if it looks like one
     */
    public static String of(String pool) {
        int third = pool.length() - SHAPE.length();
        boolean day = third > 0
                && pool.charAt(third - 1) == ':'
                && pool.indexOf(':') < third - 1
                && looksLikeADay(pool, third)
                && !pool.startsWith("0000", third); // before the first year there is
        return day ? pool.substring(third) : NONE;
    }

    private static boolean looksLikeADay(String pool, int from) {
        for (int i = 0; i < SHAPE.length(); i++) {
            char c = pool.charAt(from + i);
            boolean fits = SHAPE.charAt(i) == '-' ? c == '-' : c >= '0' && c <= '9';
            if (!fits) {
                return false;
            }
        }
        return true;
    }
}
