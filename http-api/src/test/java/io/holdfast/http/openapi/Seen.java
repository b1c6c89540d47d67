package io.holdfast.http.openapi;

import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/**
 * One request and what was answered.
 *
 * @param target path and query, as sent
 * @param sent headers of the request
 * @param body of the request; empty for none
 * @param received headers of the answer
 * @param answer body of the answer
 */
public record Seen(
        String method, String target, HttpHeaders sent, String body, int status, HttpHeaders received, String answer) {

    /** What a client saw whose request had this body. */
    public static Seen of(HttpRequest request, String body, HttpResponse<?> response, byte[] answer) {
        String query = request.uri().getRawQuery();
        return new Seen(
                request.method(),
                request.uri().getRawPath() + (query == null ? "" : "?" + query),
                request.headers(),
                body,
                response.statusCode(),
                response.headers(),
                new String(answer, StandardCharsets.UTF_8));
    }

    @Override
    public String toString() {
        return method + " " + target + " " + body + "\n-> " + status + " " + received.map() + "\n" + answer;
    }
}
