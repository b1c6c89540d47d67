package io.holdfast.reservation.ledger;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Something that can't be, with what shows it.
 *
 * @param id follows from what it is about: the same, found again, has the same id
 * @param source who finds such
 * @param type what kind
 * @param pool the pool it concerns, if one
 * @param reservationId the reservation it concerns, if one
 * @param summary one sentence
 * @param evidence JSON, enough to judge it without the systems it came from
 * @param at when it came about
 * @param kind what may be done about it: REPAIR, WAIT or MANUAL; empty where that was not judged
 * @param seenAt when it was last found, of what is looked for again and again
 * @param goneAt when it was not found any more; empty while it is
 */
public record Anomaly(
        String id,
        String source,
        String type,
        Optional<String> pool,
        Optional<String> reservationId,
        String summary,
        String evidence,
        Instant at,
        Optional<String> kind,
        Optional<Instant> seenAt,
        Optional<Instant> goneAt) {

    /** One that is found once and stays. */
    public Anomaly(
            String id,
            String source,
            String type,
            Optional<String> pool,
            Optional<String> reservationId,
            String summary,
            String evidence,
            Instant at) {
        this(
                id,
                source,
                type,
                pool,
                reservationId,
                summary,
                evidence,
                at,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private static final int ID_BYTES = 16;

    /** The id of an anomaly of this type about these, in whichever order they are named. */
    public static String id(String type, String... about) {
        String[] sorted = about.clone();
        Arrays.sort(sorted);
        String text = type + "|" + String.join("|", sorted);
        return HexFormat.of()
                .formatHex(Arrays.copyOf(sha256().digest(text.getBytes(StandardCharsets.UTF_8)), ID_BYTES));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
