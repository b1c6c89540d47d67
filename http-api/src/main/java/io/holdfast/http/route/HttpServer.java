package io.holdfast.http.route;

import io.holdfast.http.problem.Problem;
import io.holdfast.http.problem.ProblemCode;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.apache.pekko.actor.ClassicActorSystemProvider;
import org.apache.pekko.http.javadsl.ConnectionContext;
import org.apache.pekko.http.javadsl.Http;
import org.apache.pekko.http.javadsl.ServerBinding;
import org.apache.pekko.http.javadsl.ServerBuilder;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.MediaTypes;
import org.apache.pekko.http.javadsl.settings.ServerSettings;
import org.apache.pekko.stream.javadsl.BidiFlow;
import org.apache.pekko.stream.javadsl.Flow;
import scala.concurrent.duration.FiniteDuration;

/** Listens. */
public final class HttpServer {

    private static final int MOST_HEADERS = 64;

    private HttpServer() {}

    /**
     * Starts to listen where the settings say.
     *
     * @param tls with a key, for HTTPS; empty for plain HTTP
     * @return the binding, or a failure when the address can't be had
     */
    public static CompletionStage<ServerBinding> bind(
            ClassicActorSystemProvider system, HttpSettings settings, Optional<SSLContext> tls, HoldfastRoutes routes) {
        ServerBuilder server = Http.get(system)
                .newServerAt(settings.host(), settings.port())
                .withSettings(serverSettings(system, settings));
        return tls.map(context -> server.enableHttps(ConnectionContext.httpsServer(context)))
                .orElse(server)
                .bindFlow(BidiFlow.fromGraph(new HeadTime(settings.limits().headTime()))
                        .join(Flow.<HttpRequest>create().mapAsync(1, routes.handler())));
    }

    private static ServerSettings serverSettings(ClassicActorSystemProvider system, HttpSettings settings) {
        ServerSettings defaults = ServerSettings.create(system.classicSystem());
        Duration longest =
                settings.patience().most().plus(settings.patience().grace().multipliedBy(2));
        // Whoever still waits then was taken in: what became of the request is not known here.
        Problem tooLate = Problem.of(
                ProblemCode.OUTCOME_UNKNOWN,
                "This node is stopping. The request may have been recorded; ask again with the same key.",
                "");
        return defaults.withServerHeader(Optional.empty())
                .withTransparentHeadRequests(true)
                .withVerboseErrorMessages(false)
                .withMaxConnections(settings.limits().connections())
                .withBacklog(settings.limits().backlog())
                .withParsingErrorHandler(MalformedHttp.class.getName())
                .withTerminationDeadlineExceededResponse(
                        Answers.problem(tooLate, settings.patience().retryAfter()))
                // The routes answer "unknown" by themselves before this; it is the net below them.
                .withTimeouts(defaults.getTimeouts()
                        .withRequestTimeout(FiniteDuration.create(longest.toMillis(), TimeUnit.MILLISECONDS))
                        .withIdleTimeout(FiniteDuration.create(longest.toMillis() + 30_000, TimeUnit.MILLISECONDS)))
                .withParserSettings(defaults.getParserSettings()
                        .withMaxContentLength(settings.limits().bodyBytes())
                        // The parser's own JSON has one charset, and forgets which one the header names.
                        .withCustomMediaTypes(MediaTypes.applicationWithOpenCharset("json"))
                        // The parser looks for one more line, the empty one, before it knows that there were no more.
                        .withMaxHeaderCount(MOST_HEADERS + 1)
                        .withIllegalHeaderWarnings(false));
    }
}
