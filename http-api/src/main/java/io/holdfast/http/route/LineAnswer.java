package io.holdfast.http.route;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.http.problem.ProblemCode;
import io.holdfast.http.wire.OrderView;
import io.holdfast.http.wire.OrderView.LineView;
import io.holdfast.http.wire.OrderView.Result;
import io.holdfast.http.wire.Paths;
import io.holdfast.reservation.domain.Line;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.pekko.http.javadsl.model.HttpEntity;
import org.apache.pekko.http.javadsl.model.HttpResponse;

/**
 * What one line of an order is answered: exactly what it would be answered had it been asked for alone.
 *
 * @param view the answer as a part of the order's
 * @param problem the code of the problem it is, if it is one
 */
record LineAnswer(LineView view, Optional<ProblemCode> problem) {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String REPLAYED = "Idempotency-Replayed";

    static LineAnswer of(Line line, HttpResponse response) {
        int status = response.status().intValue();
        Optional<JsonNode> document = Optional.of(document(response));
        boolean taken = status < 300;
        return new LineAnswer(
                new LineView(
                        line.orderItemId(),
                        line.reservationId(),
                        status,
                        response.getHeader(REPLAYED).map(_ -> true),
                        document.filter(_ -> taken),
                        document.filter(_ -> !taken)),
                response.getAttribute(Answers.PROBLEM));
    }

    private static JsonNode document(HttpResponse response) {
        if (!(response.entity() instanceof HttpEntity.Strict strict)) {
            throw new IllegalStateException("an answer that is not all there");
        }
        try {
            return JSON.readTree(strict.getData().toArrayUnsafe());
        } catch (IOException e) {
            throw new UncheckedIOException("an answer that is no JSON", e);
        }
    }

    /** Lines that are held together or not at all: one that was not because of others names them. */
    static List<LineAnswer> withReasons(List<LineAnswer> lines) {
        List<LineAnswer> causes =
                lines.stream().filter(LineAnswer::endedByItself).toList();
        return causes.isEmpty()
                ? lines
                : lines.stream().map(line -> line.because(causes)).toList();
    }

    private boolean endedByItself() {
        return problem.filter(code -> code != ProblemCode.OTHER_LINE_NOT_HELD && code.status() < 500)
                .isPresent();
    }

    private LineAnswer because(List<LineAnswer> causes) {
        if (problem.filter(ProblemCode.OTHER_LINE_NOT_HELD::equals).isEmpty()) {
            return this;
        }
        ObjectNode told = view.problem().orElseThrow().deepCopy();
        ArrayNode items = told.putArray("because_of");
        causes.forEach(cause -> items.add(cause.view.orderItemId()));
        told.put(
                "detail",
                causes.stream()
                                .map(cause -> cause.view.orderItemId() + " ("
                                        + cause.problem.orElseThrow().name() + ")")
                                .collect(Collectors.joining(", "))
                        + " could not be held, so this line was not; this reservation ended.");
        return new LineAnswer(
                new LineView(
                        view.orderItemId(),
                        view.reservationId(),
                        view.status(),
                        view.replayed(),
                        view.reservation(),
                        Optional.of(told)),
                problem);
    }

    private boolean held() {
        return view.status() == 200 || view.status() == 201;
    }

    private boolean settled() {
        return view.status() != 202
                && problem.filter(ProblemCode.OUTCOME_UNKNOWN::equals).isEmpty();
    }

    /**
     * The answer of the order: 201 when all lines are held, 202 while one is open, else 207, which says to look at each.
     *
     * @param otherwise the result where a line is not held and none is open
     */
    static HttpResponse together(
            Exchange exchange, String order, List<LineAnswer> lines, Result otherwise, Duration retryAfter) {
        Result result = lines.stream().allMatch(LineAnswer::held)
                ? Result.HELD
                : lines.stream().allMatch(LineAnswer::settled) ? otherwise : Result.UNSETTLED;
        int status = switch (result) {
            case HELD -> 201;
            case UNSETTLED -> 202;
            case NOT_ALL_HELD, NONE_HELD -> 207;
        };
        HttpResponse response = Answers.withHeader(
                Answers.json(
                        status,
                        OrderView.of(
                                order,
                                result,
                                lines.stream().map(LineAnswer::view).toList())),
                "Location",
                Paths.ofOrder(order));
        boolean mayPass = lines.stream().anyMatch(line -> line.view.status() == 202 || line.view.status() == 503);
        if (mayPass) {
            response = Answers.withHeader(response, "Retry-After", Long.toString(retryAfter.toSeconds()));
        }
        if (lines.stream().allMatch(line -> line.view.replayed().isPresent())) {
            response = Answers.withHeader(response, REPLAYED, "true");
        }
        return exchange.preferences().noted(response);
    }
}
