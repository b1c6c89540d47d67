package io.holdfast.reconciliation.systems;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * One ordinary command that puts a difference right. Whoever finds the same difference at the same version gives the same command under the
 * same id, and it is carried out once.
 *
 * @param rule why
 * @param reservationId who is told
 * @param expectedVersion of both sides, as they were looked at
 * @param news what it is told
 */
public record SystemRepair(SystemFindingType rule, String reservationId, String expectedVersion, News news) {

    /** What the reservation is told, as the order domain would have told it. */
    public enum News {
        ORDER_CREATED,
        ORDER_CREATED_FAILED,
        ORDER_CANCELED
    }

    /** SHA-256 in hex of rule, object, expected version and target. */
    public String id() {
        String text = rule.name() + "|" + reservationId + "|" + expectedVersion + "|" + news.name();
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
