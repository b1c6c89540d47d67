package io.holdfast.launcher;

import io.holdfast.config.Settings;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How {@code dev} calls its own node where only callers with tokens may: by one made for this start, that no file and no other process has.
 * It may do what the sample pools and the order desk need, and no more.
 *
 * @param token sent with each call
 */
record OwnToken(String token) {

    /** The name under which its calls are journaled. */
    static final String CALLER = "holdfast-dev";

    private static final String SETTING = "HOLDFAST_HTTP_TOKENS";
    private static final int BYTES = 32;

    /** One, if these settings let nobody in without. */
    static Optional<OwnToken> where(Settings settings) {
        if (settings.http().open()) {
            return Optional.empty();
        }
        byte[] bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return Optional.of(new OwnToken(HexFormat.of().formatHex(bytes)));
    }

    /** The environment by which a node lets it in, beside those it lets in already. */
    Map<String, String> added(Map<String, String> environment) {
        Map<String, String> all = new LinkedHashMap<>(environment);
        all.merge(
                SETTING,
                CALLER + ":" + hash() + ":client+operator:*",
                (others, own) -> others.isBlank() ? own : others + "," + own);
        return all;
    }

    private String hash() {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return "OwnToken[]";
    }
}
