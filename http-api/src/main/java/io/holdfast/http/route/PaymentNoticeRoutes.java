package io.holdfast.http.route;

import static org.apache.pekko.http.javadsl.server.Directives.completeWithFuture;
import static org.apache.pekko.http.javadsl.server.Directives.extractRequest;
import static org.apache.pekko.http.javadsl.server.Directives.pathEnd;
import static org.apache.pekko.http.javadsl.server.Directives.post;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Refusal;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.http.access.ApiRoute;
import io.holdfast.http.problem.Problem;
import io.holdfast.http.problem.ProblemCode;
import io.holdfast.http.problem.Refusals;
import io.holdfast.order.domain.Order;
import io.holdfast.order.domain.OrderFact;
import io.holdfast.order.provider.PaymentNotices;
import io.holdfast.order.provider.PaymentNotices.Notice;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.server.Route;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code /v1/payment-notices}: what the payment provider sends by itself. Its signature takes the place of a token. A notice is taken, and
 * answered so, once the payment is in the journal of the order that it names, whether that is known or not; until then it may be sent again.
 */
final class PaymentNoticeRoutes {

    private static final Logger LOG = LoggerFactory.getLogger(PaymentNoticeRoutes.class);

    private final Endpoint endpoint;
    private final OrderServiceParts parts;
    private final InstantSource clock;
    private final HttpSettings.Patience patience;

    PaymentNoticeRoutes(
            Endpoint endpoint, OrderServiceParts parts, InstantSource clock, HttpSettings.Patience patience) {
        this.endpoint = endpoint;
        this.parts = parts;
        this.clock = clock;
        this.patience = patience;
    }

    /** At {@code /v1/payment-notices}. */
    Route route() {
        return pathEnd(() -> post(() -> extractRequest(request ->
                completeWithFuture(endpoint.signed(request, ApiRoute.PAYMENT_NOTICE, body -> take(request, body))))));
    }

    private CompletionStage<HttpResponse> take(HttpRequest request, byte[] body) {
        String signature =
                request.getHeader(PaymentNotices.HEADER).map(HttpHeader::value).orElse("");
        return switch (parts.notices().read(signature, body, clock.instant())) {
            case Notice.Succeeded succeeded -> tell(request, succeeded);
            case Notice.Ignored(String type) -> done(Answers.json(200, Map.of("ignored", type)));
            case Notice.Refused(PaymentNotices.Reason reason, String detail) -> {
                LOG.warn(
                        "a notice of a payment was refused, trace {}: {}, {}", Endpoint.trace(request), reason, detail);
                ProblemCode code = switch (reason) {
                    case NOT_SIGNED, WRONG_SIGNATURE -> ProblemCode.NOTICE_NOT_BELIEVED;
                    case OTHER_TIME -> ProblemCode.NOTICE_OF_OTHER_TIME;
                    case NOT_UNDERSTOOD -> ProblemCode.NOTICE_NOT_UNDERSTOOD;
                };
                yield done(Answers.problem(Problem.of(code, detail, Endpoint.path(request))));
            }
        };
    }

    private CompletionStage<HttpResponse> tell(HttpRequest request, Notice.Succeeded notice) {
        var cause = new Cause(
                parts.provider() + " " + notice.id(),
                notice.hash(),
                Cause.Kind.EVENT,
                parts.provider(),
                Optional.of(Endpoint.trace(request)));
        return parts.orders()
                .ask(notice.orderId(), cause, new OrderFact.PaymentSucceeded(notice.payment()), Duration.ZERO)
                .thenApply(outcome -> switch (outcome) {
                    case Outcome.Known<Reply<Order>>(Reply<Order> reply) -> answered(request, notice, reply);
                    case Outcome.Unknown<Reply<Order>> _, Outcome.Unavailable<Reply<Order>> _ ->
                        Answers.problem(
                                Problem.of(
                                        ProblemCode.UNAVAILABLE,
                                        "The notice is not known to be taken: send it again.",
                                        Endpoint.path(request)),
                                patience.retryAfter());
                });
    }

    private HttpResponse answered(HttpRequest request, Notice.Succeeded notice, Reply<Order> reply) {
        if (reply.verdict() instanceof Verdict.Refused(Refusal reason)) {
            LOG.warn(
                    "payment {} of order {} was not taken: {}",
                    notice.payment().paymentId(),
                    notice.orderId(),
                    reason.code());
            ProblemCode code = Refusals.code(reason);
            Problem problem = Problem.of(code, reason.explanation(), Endpoint.path(request))
                    .with("order_id", notice.orderId());
            return code.status() == 503 ? Answers.problem(problem, patience.retryAfter()) : Answers.problem(problem);
        }
        return Answers.json(200, Map.of("taken", notice.payment().paymentId()));
    }

    private static CompletionStage<HttpResponse> done(HttpResponse response) {
        return CompletableFuture.completedFuture(response);
    }
}
