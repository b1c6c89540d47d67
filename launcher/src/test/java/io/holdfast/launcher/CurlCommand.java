package io.holdfast.launcher;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;

/**
 * A {@code curl} command as it is printed for people to paste, with as much of a shell's grammar as ours have: single quotes, and lines
 * that go on.
 */
record CurlCommand(List<String> words) {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    CurlCommand {
        words = List.copyOf(words);
    }

    /** Those in a text, in their order. */
    static List<CurlCommand> in(String text) {
        return commands(text).stream()
                .filter(words -> words.getFirst().equals("curl"))
                .map(CurlCommand::new)
                .toList();
    }

    private static List<List<String>> commands(String text) {
        List<List<String>> commands = new ArrayList<>();
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean quoted = false;
        String joined = text.replace("\\\n", " ") + "\n";
        for (int i = 0; i < joined.length(); i++) {
            char c = joined.charAt(i);
            // An apostrophe in prose opens nothing.
            if (c == '\'' && (quoted || word.isEmpty())) {
                quoted = !quoted;
            } else if (quoted || (c != ' ' && c != '\n')) {
                word.append(c);
            } else {
                if (!word.isEmpty()) {
                    words.add(word.toString());
                    word.setLength(0);
                }
                if (c == '\n' && !words.isEmpty()) {
                    commands.add(List.copyOf(words));
                    words.clear();
                }
            }
        }
        return commands;
    }

    /** Sends it, to another host if that of the text is only usually the right one. */
    HttpResponse<String> sendTo(URI host) throws IOException, InterruptedException {
        String method = "GET";
        String body = "";
        String target = "";
        List<String> headers = new ArrayList<>();
        for (int i = 1; i < words.size(); i++) {
            switch (words.get(i)) {
                case "-s" -> {}
                case "-X" -> method = words.get(++i);
                case "-d" -> body = words.get(++i);
                case "-H" -> headers.addAll(List.of(words.get(++i).split(": ", 2)));
                default -> target = words.get(i);
            }
        }
        URI address = host.resolve(target.replaceFirst("^(http://)?(localhost|127\\.0\\.0\\.1)(:\\d+)?", ""));
        var request = HttpRequest.newBuilder(address)
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (!headers.isEmpty()) {
            request.headers(headers.toArray(String[]::new));
        }
        return CLIENT.send(request.build(), BodyHandlers.ofString());
    }
}
