package io.holdfast.node;

import io.holdfast.config.Settings;
import io.holdfast.config.SettingsException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where a running node is, and who asks it. */
final class NodeOptions {

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "Where a node serves; without it, where the settings say that it does.")
    private Optional<URI> url = Optional.empty();

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description =
                    "File with the caller's token, where the node asks for one. HOLDFAST_TOKEN is used without it.")
    private Optional<Path> tokenFile = Optional.empty();

    NodeApi api(Settings settings) {
        return new NodeApi(url.orElseGet(() -> address(settings)), token());
    }

    private static URI address(Settings settings) {
        var http = settings.http();
        if (http.port() == 0) {
            throw new SettingsException(
                    "holdfast.http.port is 0, so the settings do not say where a node serves: name it with --url.");
        }
        String host = http.host().equals("0.0.0.0") ? "127.0.0.1" : http.host();
        return URI.create((http.tls().isPresent() ? "https://" : "http://") + host + ":" + http.port());
    }

    private Optional<String> token() {
        if (tokenFile.isPresent()) {
            try {
                return Optional.of(Files.readString(tokenFile.get()).strip());
            } catch (IOException e) {
                throw new UsageException(
                        "The file " + tokenFile.get() + " can't be read (" + e + "): name another with --token-file.");
            }
        }
        return Optional.ofNullable(System.getenv("HOLDFAST_TOKEN")).filter(token -> !token.isBlank());
    }
}
