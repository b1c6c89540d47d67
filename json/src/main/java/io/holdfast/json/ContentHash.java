package io.holdfast.json;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.erdtman.jcs.JsonCanonicalizer;

/**
 * What a request asks for, reduced to what it means: SHA-256 over the canonical JSON (RFC 8785) of the operation and its business data.
 * Order of fields, blanks and spelled-out defaults make no difference; who asks, and under which trace, is no part of it.
 */
public final class ContentHash {

    private final ObjectNode data = JsonNodeFactory.instance.objectNode();
    private final ObjectNode whole = JsonNodeFactory.instance.objectNode();

    private ContentHash(String operation) {
        whole.put("operation", operation);
        whole.set("data", data);
    }

    /** Starts with the name of the operation: the same data under another operation is other content. */
    public static ContentHash of(String operation) {
        return new ContentHash(operation);
    }

    /** Adds a text. */
    public ContentHash with(String name, String value) {
        data.put(name, value);
        return this;
    }

    /** Adds an integer, at most 2^53 - 1 in size: canonical JSON writes numbers as doubles. */
    public ContentHash with(String name, long value) {
        if (Math.abs(value) > Fields.MAX_INTEGER) {
            throw new IllegalArgumentException("not exact in canonical JSON: " + value);
        }
        data.put(name, value);
        return this;
    }

    /** Adds a truth value. */
    public ContentHash with(String name, boolean value) {
        data.put(name, value);
        return this;
    }

    /** Adds a list of parts, in the order given; only the data of each counts. */
    public ContentHash with(String name, List<ContentHash> parts) {
        var list = data.putArray(name);
        parts.forEach(part -> list.add(part.data));
        return this;
    }

    /** The hash, 64 hex digits. */
    public String hex() {
        return sha256(canonical());
    }

    /** A cause id for a caller who named none: the same request to the same entity is the same cause. */
    public String causeIdFor(String entityId) {
        return "auto-"
                + sha256((entityId + "\n" + hex()).getBytes(StandardCharsets.UTF_8))
                        .substring(0, 32);
    }

    private byte[] canonical() {
        try {
            return new JsonCanonicalizer(whole.toString()).getEncodedUTF8();
        } catch (IOException e) {
            throw new IllegalStateException("JSON written here can't be read here", e);
        }
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
