package io.holdfast.node;

import io.holdfast.config.Settings;
import io.holdfast.http.route.HoldfastRoutes;
import io.holdfast.http.route.HttpServer;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.apache.pekko.actor.ClassicActorSystemProvider;
import org.apache.pekko.http.javadsl.ServerBinding;

/** The open API, and how it closes without cutting anybody off. */
final class ApiServer {

    /** How long requests that have begun may take once the node stops. */
    private static final Duration DRAIN = Duration.ofSeconds(20);

    private ApiServer() {}

    /**
     * Listens, with TLS if the settings have a key.
     *
     * @return where
     * @throws StartException if the address can't be had
     */
    static URI open(Settings settings, ClassicActorSystemProvider system, HoldfastRoutes routes, Closing closing) {
        Optional<SSLContext> tls = settings.http().tls().map(Tls::server);
        ServerBinding binding;
        try {
            binding = HttpServer.bind(system, Parts.http(settings), tls, routes)
                    .toCompletableFuture()
                    .join();
        } catch (CompletionException e) {
            throw new StartException(
                    "The API can't listen on " + settings.http().host() + ":"
                            + settings.http().port() + ": free the port, or choose another with holdfast.http.port.",
                    e);
        }
        closing.add("the API", () -> {
            routes.endStreams();
            binding.terminate(DRAIN).toCompletableFuture().get(DRAIN.toSeconds() + 5, TimeUnit.SECONDS);
        });
        InetSocketAddress bound = binding.localAddress();
        String host = bound.getAddress().isAnyLocalAddress() ? "127.0.0.1" : bound.getHostString();
        return URI.create((tls.isPresent() ? "https" : "http") + "://" + (host.contains(":") ? "[" + host + "]" : host)
                + ":" + bound.getPort());
    }
}
