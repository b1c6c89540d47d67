package io.holdfast.reservation.domain;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * How ids follow from what a user asks for at the gate, so that a repeat reaches the same entity and nobody can guess the id of another's
 * request. They are made with a secret. A sale keeps the version it began with for ever: with another secret the same request would
 * become another reservation.
 */
public final class SaleKeys {

    private static final String ALGORITHM = "HmacSHA256";
    private static final int BYTES = 16;
    private static final int HASH_DIGITS = 15;

    private final TreeMap<Integer, SecretKeySpec> keys = new TreeMap<>();

    /**
     * @param secrets by version
     * @throws IllegalArgumentException if a secret is empty
     */
    public SaleKeys(Map<Integer, byte[]> secrets) {
        secrets.forEach((version, secret) -> keys.put(version, new SecretKeySpec(secret, ALGORITHM)));
    }

    /** The version a sale that begins now is given; empty where there is no secret, and so no sale. */
    public Optional<Integer> newest() {
        return keys.isEmpty() ? Optional.empty() : Optional.of(keys.lastKey());
    }

    /** Those of these versions there is no secret of, the lowest first. */
    public SortedSet<Integer> missing(Collection<Integer> versions) {
        SortedSet<Integer> missing = new TreeSet<>(versions);
        missing.removeAll(keys.keySet());
        return missing;
    }

    /**
     * Id of what a user's request reserves. A bucket of the sale is no part of it: a repeat that would pick another finds the first hold.
     *
     * @param version the one the sale keeps
     * @param request the user's own id of the request
     * @return 128 bits as 32 lower-case hex digits
     * @throws IllegalArgumentException if a part is not 1 to 64 of A-Z a-z 0-9 . _ -, or there is no secret of this version
     */
    public String reservation(int version, String activity, String sku, String user, String request) {
        Ids.part("activity", activity);
        Ids.part("sku", sku);
        Ids.part("user", user);
        Ids.part("request", request);
        return digest(version, activity + "|" + sku + "|" + user + "|" + request);
    }

    /**
     * Which of a sale's buckets all requests of a user are decided in, whatever they ask for and however often.
     *
     * @param version the one the sale keeps
     * @param count buckets of the sale
     * @return from 0 to less than the count
     * @throws IllegalArgumentException if a part is not 1 to 64 of A-Z a-z 0-9 . _ -, or there is no secret of this version
     */
    public int bucket(int version, String activity, String sku, String user, int count) {
        Ids.part("activity", activity);
        Ids.part("sku", sku);
        Ids.part("user", user);
        String digest = digest(version, "BUCKET|" + activity + "|" + sku + "|" + user);
        return Math.toIntExact(Long.parseLong(digest, 0, HASH_DIGITS, 16) % count);
    }

    /**
     * Id of the one message about a reservation that has this name, however often it is sent.
     *
     * @param name of the message
     * @param schemaVersion of its content: another content is another message
     * @return 128 bits as 32 lower-case hex digits
     * @throws IllegalArgumentException if there is no secret of this version
     */
    public String message(int version, String name, String reservationId, int schemaVersion) {
        return digest(version, name + "|" + reservationId + "|" + schemaVersion);
    }

    private String digest(int version, String text) {
        SecretKeySpec key = keys.get(version);
        if (key == null) {
            throw new IllegalArgumentException("there is no secret of version " + version);
        }
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            byte[] digest = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(Arrays.copyOf(digest, BYTES));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }

    @Override
    public String toString() {
        return "SaleKeys" + keys.keySet();
    }
}
