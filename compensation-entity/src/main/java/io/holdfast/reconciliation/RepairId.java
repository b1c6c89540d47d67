package io.holdfast.reconciliation;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Identity of one correction: whoever finds the same difference at the same version, and would set the same, asks for the same operation. */
public final class RepairId {

    private RepairId() {}

    /**
     * SHA-256 in hex, 64 characters: fit to be the operation id of a pool, and the cause of a command.
     *
     * @param rule why
     * @param object what is corrected
     * @param expectedVersion of what it was found in, as it was looked at
     * @param target what is set
     */
    public static String of(Enum<?> rule, String object, String expectedVersion, String target) {
        String text = rule.name() + "|" + object + "|" + expectedVersion + "|" + target;
        return HexFormat.of().formatHex(sha256().digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
