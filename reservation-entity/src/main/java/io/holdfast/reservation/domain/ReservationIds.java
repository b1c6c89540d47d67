package io.holdfast.reservation.domain;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/** How the id of a reservation follows from what is reserved: the same request always reaches the same entity. */
public final class ReservationIds {

    private static final int BYTES = 16;

    private ReservationIds() {}

    /**
     * Id of a journal-first reservation. The pool, hence the day, is not part of it: a retry after midnight finds the first hold.
     *
     * @return 128 bits as 32 lower-case hex digits
     */
    public static String journalFirst(String merchant, String dish, String orderItemId) {
        Ids.part("merchant", merchant);
        Ids.part("dish", dish);
        Ids.part("order_item_id", orderItemId);
        return digest(merchant + "|" + dish + "|" + orderItemId);
    }

    /** The order item under which units are taken anew for a payment that came after its order was cancelled: once per payment. */
    public static String itemOfLatePayment(String paymentId) {
        Ids.part("payment_id", paymentId);
        return digest("reacquire|" + paymentId);
    }

    /** SHA-256 truncated to 128 bits, in hex. */
    static String digest(String text) {
        byte[] digest = sha256().digest(text.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(Arrays.copyOf(digest, BYTES));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
