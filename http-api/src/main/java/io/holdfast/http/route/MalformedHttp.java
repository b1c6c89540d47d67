package io.holdfast.http.route;

import io.holdfast.http.access.ApiRoute;
import io.holdfast.http.problem.Problem;
import io.holdfast.http.problem.ProblemCode;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.pekko.event.LoggingAdapter;
import org.apache.pekko.http.ParsingErrorHandler;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.scaladsl.model.ErrorInfo;
import org.apache.pekko.http.scaladsl.model.StatusCode;
import org.apache.pekko.http.scaladsl.settings.ServerSettings;

/**
 * Answers what is too malformed to become a request: a problem like every other, without the parser's own words. Pekko HTTP finds it by
 * name, as a Scala object, hence the field {@code MODULE$}.
 */
public final class MalformedHttp extends ParsingErrorHandler {

    /** The one instance. */
    @SuppressWarnings("checkstyle:ConstantName")
    public static final MalformedHttp MODULE$ = new MalformedHttp();

    /** Those that any address takes: of a method that is none of HTTP the parser does not tell the address. */
    private static final String METHODS = Stream.concat(
                    Stream.of("HEAD"), Stream.of(ApiRoute.values()).map(ApiRoute::method))
            .distinct()
            .sorted()
            .collect(Collectors.joining(", "));

    private MalformedHttp() {}

    @Override
    public HttpResponse handle(StatusCode status, ErrorInfo info, LoggingAdapter log, ServerSettings settings) {
        log.debug("refused before it became a request: {} {}", status.intValue(), info.summary());
        Problem problem = problem(status.intValue(), info.summary());
        HttpResponse response = Answers.withHeader(Answers.problem(problem), TraceId.HEADER, TraceId.fresh());
        return problem.code() == ProblemCode.METHOD_NOT_ALLOWED
                ? Answers.withHeader(response, "Allow", METHODS)
                : response;
    }

    /** The parser has one status for all of these, and tells them apart in its words alone. */
    private static Problem malformed(String summary) {
        if (summary.contains("content-type")) {
            return Problem.of(ProblemCode.UNSUPPORTED_MEDIA_TYPE, "The Content-Type header is malformed.", "");
        }
        return summary.contains("limit of") && summary.endsWith("headers")
                ? Problem.of(ProblemCode.HEADERS_TOO_LARGE, "There are more headers than this server takes.", "")
                : Problem.of(ProblemCode.MALFORMED_HTTP, "The request line, a header or the framing is malformed.", "");
    }

    private static Problem problem(int status, String summary) {
        return switch (status) {
            case 413 -> Problem.of(ProblemCode.BODY_TOO_LARGE, "The body is larger than this server takes.", "");
            case 414 ->
                Problem.of(ProblemCode.URI_TOO_LONG, "The request target is longer than this server takes.", "");
            case 431 ->
                Problem.of(ProblemCode.HEADERS_TOO_LARGE, "A header, or all of them together, is too large.", "");
            case 501 ->
                Problem.of(
                        ProblemCode.METHOD_NOT_ALLOWED,
                        "No address takes this method, so it was not looked at which one it is.",
                        "");
            default -> malformed(summary.toLowerCase(Locale.ROOT));
        };
    }
}
