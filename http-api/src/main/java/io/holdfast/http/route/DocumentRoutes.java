package io.holdfast.http.route;

import static org.apache.pekko.http.javadsl.server.Directives.complete;
import static org.apache.pekko.http.javadsl.server.Directives.concat;
import static org.apache.pekko.http.javadsl.server.Directives.extractRequest;
import static org.apache.pekko.http.javadsl.server.Directives.get;
import static org.apache.pekko.http.javadsl.server.Directives.path;
import static org.apache.pekko.http.javadsl.server.PathMatchers.segment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.holdfast.http.access.ApiRoute;
import io.holdfast.http.problem.Problem;
import io.holdfast.http.problem.ProblemCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.pekko.http.javadsl.model.ContentType;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpCharsets;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.MediaTypes;
import org.apache.pekko.http.javadsl.server.Route;

/** What this API tells of itself, to anybody: its OpenAPI document, a page for every code of a problem, and what the words mean. */
final class DocumentRoutes {

    private static final Map<String, ProblemCode> CODES =
            Stream.of(ProblemCode.values()).collect(Collectors.toUnmodifiableMap(Enum::name, Function.identity()));
    private static final ContentType YAML =
            ContentTypes.create(MediaTypes.applicationWithFixedCharset("yaml", HttpCharsets.UTF_8));
    private static final ContentType MARKDOWN = ContentTypes.parse("text/markdown; charset=utf-8");

    private static final Pattern PAGE = Pattern.compile("(concepts/)?[a-z-]+\\.md");

    private static final byte[] OPENAPI_YAML = openApi();
    private static final byte[] OPENAPI_JSON = json(OPENAPI_YAML);

    private DocumentRoutes() {}

    static Route route() {
        return concat(
                path("openapi.yaml", () -> get(() -> document(ApiRoute.OPENAPI_YAML, YAML, OPENAPI_YAML))),
                path(
                        "openapi.json",
                        () -> get(() -> document(ApiRoute.OPENAPI_JSON, ContentTypes.APPLICATION_JSON, OPENAPI_JSON))),
                path(segment("errors").slash(segment()), code -> get(() -> error(code))),
                path(segment("docs").slash(segment()), page -> get(() -> page(ApiRoute.PAGE, page))),
                path(
                        segment("docs").slash("concepts").slash(segment()),
                        page -> get(() -> page(ApiRoute.CONCEPT_PAGE, "concepts/" + page))));
    }

    private static Route page(ApiRoute route, String name) {
        return extractRequest(request -> complete(named(
                route,
                bytes(name)
                        .map(bytes -> HttpResponse.create().withEntity(MARKDOWN, bytes))
                        .orElseGet(() -> Answers.problem(Problem.of(
                                ProblemCode.NO_SUCH_ROUTE, "There is no such page.", Endpoint.path(request)))))));
    }

    /** A page of this repository, of those that the build lays beside the classes. */
    private static Optional<byte[]> bytes(String name) {
        if (!PAGE.matcher(name).matches()) {
            return Optional.empty();
        }
        try (InputStream file = DocumentRoutes.class.getResourceAsStream("/io/holdfast/http/docs/" + name)) {
            return file == null ? Optional.empty() : Optional.of(file.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Route document(ApiRoute route, ContentType type, byte[] bytes) {
        return complete(named(route, HttpResponse.create().withEntity(type, bytes)));
    }

    private static Route error(String code) {
        return extractRequest(request -> complete(named(
                ApiRoute.PROBLEM,
                Optional.ofNullable(CODES.get(code))
                        .map(known -> HttpResponse.create()
                                .withEntity(MARKDOWN, known.page().getBytes(StandardCharsets.UTF_8)))
                        .orElseGet(() -> Answers.problem(Problem.of(
                                ProblemCode.NO_SUCH_ROUTE,
                                "There is no such problem code.",
                                Endpoint.path(request)))))));
    }

    private static HttpResponse named(ApiRoute route, HttpResponse response) {
        return response.addAttribute(Endpoint.ROUTE, route);
    }

    /** The file of this repository, which the build lays beside the classes. */
    private static byte[] openApi() {
        try (InputStream file = Objects.requireNonNull(
                DocumentRoutes.class.getResourceAsStream("/io/holdfast/http/openapi.yaml"), "openapi.yaml")) {
            return file.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] json(byte[] yaml) {
        try {
            return new ObjectMapper().writeValueAsBytes(new ObjectMapper(new YAMLFactory()).readTree(yaml));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the OpenAPI document can't be written as JSON", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
