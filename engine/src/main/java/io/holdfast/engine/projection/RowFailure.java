package io.holdfast.engine.projection;

/** A transaction failed through the fault of one of its events; everything in it is rolled back. */
final class RowFailure extends Exception {

    private static final long serialVersionUID = 1L;
    private static final int LONGEST_REASON = 2000;

    RowFailure(Throwable cause) {
        super(cause);
    }

    /** For the parked table: what failed, with its causes, without what PostgreSQL can't store. */
    String reason() {
        StringBuilder text = new StringBuilder();
        for (Throwable t = getCause(); t != null && text.length() < LONGEST_REASON; t = t.getCause()) {
            text.append(text.isEmpty() ? "" : " <- ").append(t);
        }
        return storable(text.toString());
    }

    /** A reason as the parked table can hold it. */
    static String storable(String reason) {
        String whole = reason.replace('\0', ' ');
        return whole.length() <= LONGEST_REASON ? whole : whole.substring(0, LONGEST_REASON);
    }
}
