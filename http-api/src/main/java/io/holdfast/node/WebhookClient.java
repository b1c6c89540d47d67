package io.holdfast.node;

import io.holdfast.messaging.webhook.PublicAddresses;
import io.holdfast.messaging.webhook.WebhookCall;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.actor.ClassicActorSystemProvider;
import org.apache.pekko.event.Logging;
import org.apache.pekko.http.javadsl.ClientTransport;
import org.apache.pekko.http.javadsl.Http;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;
import org.apache.pekko.http.javadsl.settings.ClientConnectionSettings;
import org.apache.pekko.http.javadsl.settings.ConnectionPoolSettings;
import org.apache.pekko.stream.javadsl.Sink;

/**
 * Calls webhooks. The address that is connected to is the one that was looked up and judged here: a name that leads elsewhere a moment later
 * gets nobody any further. Redirections are answers, and are not followed.
 */
final class WebhookClient implements WebhookCall, AutoCloseable {

    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(5);
    private static final int OPEN_REQUESTS = 256;

    private final ClassicActorSystemProvider system;
    private final ConnectionPoolSettings pool;
    private final boolean privateAddresses;
    private final ExecutorService lookUps = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("holdfast-webhook-names-", 0).factory());

    /**
     * @param privateAddresses whether addresses may be called that are not on the public internet
     * @param toOne connections to one receiver
     */
    WebhookClient(ClassicActorSystemProvider system, boolean privateAddresses, int toOne, Duration timeout) {
        this.system = system;
        this.privateAddresses = privateAddresses;
        var connections = ClientConnectionSettings.create(system.classicSystem())
                .withConnectingTimeout(CONNECT_WITHIN)
                .withIdleTimeout(timeout);
        this.pool = ConnectionPoolSettings.create(system.classicSystem())
                .withMaxRetries(0)
                .withMaxConnections(toOne)
                .withMaxOpenRequests(OPEN_REQUESTS)
                .withConnectionSettings(connections.withTransport(
                        ClientTransport.withCustomResolver((host, port) -> resolve(host, (Integer) port))));
    }

    @Override
    public CompletionStage<Answer> post(URI url, Map<String, String> headers, byte[] body, Duration timeout) {
        List<HttpHeader> all = new ArrayList<>();
        headers.forEach((name, value) -> all.add(RawHeader.create(name, value)));
        all.add(RawHeader.create("User-Agent", "Holdfast"));
        HttpRequest request = HttpRequest.POST(url.toString())
                .withEntity(ContentTypes.APPLICATION_JSON, body)
                .addHeaders(all);
        return Http.get(system)
                .singleRequest(
                        request,
                        Http.get(system).defaultClientHttpsContext(),
                        pool,
                        Logging.getLogger(system.classicSystem(), "holdfast-webhooks"))
                .toCompletableFuture()
                .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                .handle((response, fault) -> {
                    if (fault != null) {
                        throw new CompletionException(new IllegalStateException(why(fault, timeout)));
                    }
                    // What it says is nobody's concern, and may never end.
                    response.entity().getDataBytes().runWith(Sink.cancelled(), system);
                    return new Answer(response.status().intValue(), retryAfter(response));
                });
    }

    private static String why(Throwable fault, Duration timeout) {
        Throwable cause = fault;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause instanceof TimeoutException
                ? "no answer within " + timeout.toMillis() + " ms"
                : String.valueOf(cause.getMessage());
    }

    private static Optional<Duration> retryAfter(HttpResponse response) {
        return response.getHeader("Retry-After")
                .map(HttpHeader::value)
                .filter(value -> value.matches("[0-9]{1,6}"))
                .map(value -> Duration.ofSeconds(Long.parseLong(value)));
    }

    private CompletionStage<InetSocketAddress> resolve(String host, int port) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        for (InetAddress address : InetAddress.getAllByName(host)) {
                            if (privateAddresses || PublicAddresses.isPublic(address)) {
                                return new InetSocketAddress(address, port);
                            }
                        }
                    } catch (UnknownHostException e) {
                        throw new CompletionException(new IllegalStateException("no host is named " + host, e));
                    }
                    throw new CompletionException(new IllegalStateException(
                            "the address is not on the public internet, so it is not called"));
                },
                lookUps);
    }

    @Override
    public void close() {
        lookUps.shutdownNow();
    }
}
