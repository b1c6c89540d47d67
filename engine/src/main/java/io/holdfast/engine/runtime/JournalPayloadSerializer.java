package io.holdfast.engine.runtime;

import org.apache.pekko.serialization.SerializerWithStringManifest;

/** Hands the journal plugin bytes that are JSON already. Nothing is decoded here, so nothing can fail here. */
public final class JournalPayloadSerializer extends SerializerWithStringManifest {

    /** Stored with every row: never changed. */
    public static final int IDENTIFIER = 735_501;

    @Override
    public int identifier() {
        return IDENTIFIER;
    }

    @Override
    public String manifest(Object payload) {
        return ((JournalPayload) payload).manifest();
    }

    @Override
    public byte[] toBinary(Object payload) {
        return ((JournalPayload) payload).json();
    }

    @Override
    public Object fromBinary(byte[] bytes, String manifest) {
        return new JournalPayload(manifest, bytes);
    }
}
