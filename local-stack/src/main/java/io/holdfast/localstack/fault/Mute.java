package io.holdfast.localstack.fault;

import java.nio.charset.StandardCharsets;

/** A silence that falls on each connection with the first request that contains a text. Each is one of its own, whatever its text. */
final class Mute {

    private final byte[] text;

    Mute(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("a silence needs a text to wait for");
        }
        this.text = text.getBytes(StandardCharsets.UTF_8);
    }

    byte[] text() {
        return text;
    }
}
