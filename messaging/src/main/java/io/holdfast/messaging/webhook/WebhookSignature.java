package io.holdfast.messaging.webhook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** What Standard Webhooks (standardwebhooks.com) says of ids, secrets and signatures. Pure. */
public final class WebhookSignature {

    /** Before the Base64 of a secret. */
    public static final String SECRET_PREFIX = "whsec_";

    private static final int LEAST_BYTES = 24;
    private static final int MOST_BYTES = 64;
    private static final String HMAC = "HmacSHA256";

    private WebhookSignature() {}

    /** The id of the message about an event: without a character that would be taken for the end of it. */
    static String messageId(String eventId) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(eventId.getBytes(StandardCharsets.UTF_8));
            return "msg_" + HexFormat.of().formatHex(digest, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** The header {@code webhook-signature}: one signature for each secret, newest first. */
    public static String of(List<byte[]> secrets, String messageId, Instant at, byte[] body) {
        return secrets.stream()
                .map(secret -> "v1," + Base64.getEncoder().encodeToString(mac(secret, messageId, at, body)))
                .collect(Collectors.joining(" "));
    }

    private static byte[] mac(byte[] secret, String messageId, Instant at, byte[] body) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(secret, HMAC));
            mac.update((messageId + "." + at.getEpochSecond() + ".").getBytes(StandardCharsets.UTF_8));
            return mac.doFinal(body);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + HMAC, e);
        }
    }

    /** As it is shown, once. */
    public static String shown(byte[] secret) {
        return SECRET_PREFIX + Base64.getEncoder().encodeToString(secret);
    }

    /** A secret as somebody wrote it: with or without the prefix, 24 to 64 bytes; empty if it is none. */
    public static Optional<byte[]> secret(String text) {
        try {
            byte[] bytes = Base64.getDecoder()
                    .decode(text.startsWith(SECRET_PREFIX) ? text.substring(SECRET_PREFIX.length()) : text);
            return bytes.length >= LEAST_BYTES && bytes.length <= MOST_BYTES ? Optional.of(bytes) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
