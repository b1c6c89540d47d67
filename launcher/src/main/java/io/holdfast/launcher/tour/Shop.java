package io.holdfast.launcher.tour;

import io.holdfast.client.Call;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.Result;
import io.holdfast.launcher.Api.Answer;
import java.net.URI;
import java.time.Duration;
import java.util.Map;

/** A shop's backend: calls the node as any Java program may, with the client of this project, and so outlives what the steps do to the node. */
final class Shop implements AutoCloseable {

    /** Long enough for one answer, and for nothing that is waited for. */
    private static final Duration AT_ONCE = Duration.ofMillis(900);

    private final HoldfastClient client;

    Shop(URI node) {
        this.client = HoldfastClient.of(node);
    }

    /** Reads. */
    Answer get(String path) {
        return settled(Call.get(path));
    }

    /** Creates or sets. */
    Answer put(String path, Map<String, ?> body) {
        return settled(Call.put(path, body));
    }

    /** Does. */
    Answer post(String path, Map<String, ?> body) {
        return settled(Call.post(path, body));
    }

    /** Does, under a key: asked again it is the same request. */
    Answer post(String path, Map<String, ?> body, String key) {
        return settled(Call.post(path, body).under(key));
    }

    /** Does, without waiting for the end of what that starts. */
    Answer postWithoutWaiting(String path, Map<String, ?> body) {
        return settled(Call.post(path, body).within(AT_ONCE));
    }

    private Answer settled(Call call) {
        try {
            return switch (client.call(call)) {
                case Result.Done(int status, var body, var _) -> new Answer(status, body);
                case Result.Refused(int status, var _, var problem) -> new Answer(status, problem);
                case Result.Open(var body) -> new Answer(202, body);
                case Result.Unknown(String why) -> throw new IllegalStateException(call.target() + ": unknown, " + why);
                case Result.NotTaken(String why) ->
                    throw new IllegalStateException(call.target() + ": not taken, " + why);
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted at " + call.target(), e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
