package io.holdfast.order.provider;

import io.holdfast.json.ContentHash;
import io.holdfast.json.Fields;
import io.holdfast.json.InputError;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.Parsed;
import io.holdfast.order.domain.Payment;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Reads what a provider sends by itself. A notice is believed only if it is signed: {@code t=<seconds since 1970>,v1=<hex>}, where the hex is
 * HMAC-SHA256 under a shared secret over the time, a dot, and the body as it came. A notice from too long ago may be one that was caught
 * and is played again; the same payment twice moves nothing twice, but nobody is to be able to fill journals with it.
 */
public final class PaymentNotices {

    /** Name of the header with the signature. */
    public static final String HEADER = "Payment-Signature";

    private static final String SUCCEEDED = "payment.succeeded";
    private static final Pattern SIGNATURE = Pattern.compile("t=([0-9]{1,12}),v1=([0-9a-f]{64})");
    private static final String ALGORITHM = "HmacSHA256";

    private final String provider;
    private final List<byte[]> secrets;
    private final Duration tolerance;

    /**
     * @param provider who signs, as payments name it
     * @param secrets any of which may have been used: while one is replaced by the next, both; not empty
     * @param tolerance how far the time of a notice may lie from now, either way
     */
    public PaymentNotices(String provider, List<byte[]> secrets, Duration tolerance) {
        if (secrets.isEmpty() || secrets.stream().anyMatch(secret -> secret.length == 0)) {
            throw new IllegalArgumentException("notices need a secret, and none may be empty");
        }
        this.provider = provider;
        this.secrets = secrets.stream().map(byte[]::clone).toList();
        this.tolerance = tolerance;
    }

    /** What a notice is. */
    public sealed interface Notice {

        /**
         * A payment succeeded.
         *
         * @param id of the notice, the same when it comes again
         * @param hash SHA-256 in hex of what it says
         */
        record Succeeded(String id, String orderId, Payment payment, String hash) implements Notice {}

        /** Of a type that means nothing here. */
        record Ignored(String type) implements Notice {}

        /** Not believed, or not understood. Says nothing of what a right signature would have been. */
        record Refused(Reason reason, String detail) implements Notice {}
    }

    /** Why a notice is refused. */
    public enum Reason {
        /** There is no signature of the form that is expected. */
        NOT_SIGNED,
        /** It was signed too long ago, or is of a time to come. */
        OTHER_TIME,
        /** The signature is not of this body under any of the secrets. */
        WRONG_SIGNATURE,
        /** Signed, but not to be understood. */
        NOT_UNDERSTOOD
    }

    /**
     * What the notice says, or why it is refused.
     *
     * @param signature the header with the signature; empty where there is none
     * @param body as it came, unread
     */
    public Notice read(String signature, byte[] body, Instant now) {
        Matcher parts = SIGNATURE.matcher(signature);
        if (!parts.matches()) {
            return new Notice.Refused(Reason.NOT_SIGNED, "a signature is t=<seconds>,v1=<64 hex digits>");
        }
        // The signature first: only what is signed is worth telling more about.
        byte[] given = HexFormat.of().parseHex(parts.group(2));
        boolean signed = false;
        for (byte[] secret : secrets) {
            signed |= MessageDigest.isEqual(given, mac(secret, parts.group(1), body));
        }
        if (!signed) {
            return new Notice.Refused(Reason.WRONG_SIGNATURE, "the signature is not of this body");
        }
        Instant at = Instant.ofEpochSecond(Long.parseLong(parts.group(1)));
        if (Duration.between(at, now).abs().compareTo(tolerance) > 0) {
            return new Notice.Refused(Reason.OTHER_TIME, "the notice is of " + at);
        }
        return switch (PaymentData.object(body).then(this::notice)) {
            case Parsed.Valid<Notice>(Notice notice) -> notice;
            case Parsed.Invalid<Notice>(List<InputError> errors) ->
                new Notice.Refused(
                        Reason.NOT_UNDERSTOOD,
                        errors.stream()
                                .limit(5)
                                .map(error -> error.pointer() + ": " + error.detail())
                                .collect(Collectors.joining(" ")));
        };
    }

    /** The signature of a notice, as a provider makes it: the value of the header. */
    public static String sign(byte[] secret, byte[] body, Instant at) {
        String time = Long.toString(at.getEpochSecond());
        return "t=" + time + ",v1=" + HexFormat.of().formatHex(mac(secret, time, body));
    }

    private Parsed<Notice> notice(ObjectValue body) {
        Fields fields = new Fields(body);
        var type = fields.id("type");
        return fields.intoIgnoringOthers(type)
                .then(known -> known.equals(SUCCEEDED) ? succeeded(body) : Parsed.valid(new Notice.Ignored(known)));
    }

    private Parsed<Notice> succeeded(ObjectValue body) {
        Fields fields = new Fields(body);
        var id = fields.id("notice_id");
        var order = fields.id("order_id");
        var payment = PaymentData.in(fields, provider);
        return fields.intoIgnoringOthers(() -> {
            Payment paid = payment.get();
            return new Notice.Succeeded(id.get(), order.get(), paid, hash(order.get(), paid));
        });
    }

    private static String hash(String orderId, Payment payment) {
        return ContentHash.of(SUCCEEDED + ".v1")
                .with("order_id", orderId)
                .with("payment_id", payment.paymentId())
                .with("provider", payment.provider())
                .with("provider_transaction", payment.transaction())
                .with("amount", payment.amount().minor())
                .with("currency", payment.amount().currency())
                .with("paid_at", payment.paidAt().toString())
                .hex();
    }

    private static byte[] mac(byte[] secret, String time, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
            mac.update((time + ".").getBytes(StandardCharsets.US_ASCII));
            return mac.doFinal(body);
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }
}
