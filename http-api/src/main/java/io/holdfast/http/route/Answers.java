package io.holdfast.http.route;

import io.holdfast.http.problem.Problem;
import io.holdfast.http.problem.ProblemCode;
import io.holdfast.json.InputError;
import io.holdfast.json.JsonWriter;
import java.time.Duration;
import java.util.List;
import org.apache.pekko.http.javadsl.model.AttributeKey;
import org.apache.pekko.http.javadsl.model.ContentType;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpCharsets;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.MediaTypes;
import org.apache.pekko.http.javadsl.model.headers.RawHeader;

/** Builds responses. The only place that turns a wire record or a problem into bytes. */
final class Answers {

    /** The problem code a response carries, for whoever counts. */
    static final AttributeKey<ProblemCode> PROBLEM = AttributeKey.create("holdfast-problem", ProblemCode.class);

    private static final ContentType PROBLEM_JSON =
            ContentTypes.create(MediaTypes.applicationWithFixedCharset("problem+json", HttpCharsets.UTF_8));
    private static final ContentType TEXT = ContentTypes.TEXT_PLAIN_UTF8;

    private static final Duration SOON = Duration.ofSeconds(1);

    private Answers() {}

    static HttpResponse json(int status, Object wireRecord) {
        return HttpResponse.create()
                .withStatus(status)
                .withEntity(ContentTypes.APPLICATION_JSON, JsonWriter.write(wireRecord));
    }

    static HttpResponse text(int status, String page) {
        return HttpResponse.create().withStatus(status).withEntity((ContentType.NonBinary) TEXT, page);
    }

    /** A problem; one that may pass by itself says when to come again. */
    static HttpResponse problem(Problem problem) {
        return problem.code().status() == 503 ? problem(problem, SOON) : document(problem);
    }

    /** A problem that may pass by itself. */
    static HttpResponse problem(Problem problem, Duration retryAfter) {
        return withHeader(document(problem), "Retry-After", Long.toString(retryAfter.toSeconds()));
    }

    private static HttpResponse document(Problem problem) {
        return HttpResponse.create()
                .withStatus(problem.code().status())
                .withEntity(PROBLEM_JSON, JsonWriter.write(problem.document()))
                .addAttribute(PROBLEM, problem.code());
    }

    static HttpResponse invalid(List<InputError> errors, String instance) {
        return problem(Problem.invalid(errors, instance));
    }

    static HttpResponse withHeader(HttpResponse response, String name, String value) {
        return response.addHeader(RawHeader.create(name, value));
    }
}
