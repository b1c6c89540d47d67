package io.holdfast.http.route;

import static org.apache.pekko.http.javadsl.server.Directives.complete;
import static org.apache.pekko.http.javadsl.server.Directives.concat;
import static org.apache.pekko.http.javadsl.server.Directives.extractRequest;
import static org.apache.pekko.http.javadsl.server.Directives.get;
import static org.apache.pekko.http.javadsl.server.Directives.path;
import static org.apache.pekko.http.javadsl.server.Directives.pathEndOrSingleSlash;
import static org.apache.pekko.http.javadsl.server.Directives.pathPrefix;
import static org.apache.pekko.http.javadsl.server.Directives.pathSingleSlash;
import static org.apache.pekko.http.javadsl.server.PathMatchers.segment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.holdfast.http.access.ApiRoute;
import io.holdfast.http.problem.Problem;
import io.holdfast.http.problem.ProblemCode;
import io.holdfast.http.wire.IndexView;
import io.holdfast.http.wire.IndexView.EntryView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.pekko.http.javadsl.model.ContentType;
import org.apache.pekko.http.javadsl.model.ContentTypes;
import org.apache.pekko.http.javadsl.model.HttpCharsets;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.MediaTypes;
import org.apache.pekko.http.javadsl.server.Route;

/**
 * What this API tells of itself, to anybody: where to begin, its OpenAPI document, a page for every code of a problem, and what the words
 * mean. Pages are Markdown, lists JSON; a browser has both as HTML.
 */
final class DocumentRoutes {

    private static final Map<String, ProblemCode> CODES =
            Stream.of(ProblemCode.values()).collect(Collectors.toUnmodifiableMap(Enum::name, Function.identity()));
    private static final ContentType YAML =
            ContentTypes.create(MediaTypes.applicationWithFixedCharset("yaml", HttpCharsets.UTF_8));
    private static final ContentType MARKDOWN = ContentTypes.parse("text/markdown; charset=utf-8");
    private static final ContentType TEXT = ContentTypes.TEXT_PLAIN_UTF8;
    private static final ContentType HTML = ContentTypes.TEXT_HTML_UTF8;

    private static final byte[] OPENAPI_YAML =
            DocumentPages.file("openapi.yaml").orElseThrow();
    private static final JsonNode OPENAPI = tree(OPENAPI_YAML);
    private static final byte[] OPENAPI_JSON = json(OPENAPI);

    private static final IndexView START = start();
    private static final IndexView ROUTES = routes();
    private static final IndexView PAGES = pages();
    private static final IndexView PROBLEMS = problems();

    private DocumentRoutes() {}

    static Route route() {
        return concat(
                pathSingleSlash(() -> index(ApiRoute.INDEX, START)),
                pathPrefix("v1", () -> pathEndOrSingleSlash(() -> index(ApiRoute.ROUTES, ROUTES))),
                pathPrefix(
                        "docs",
                        () -> concat(
                                pathEndOrSingleSlash(() -> index(ApiRoute.PAGES, PAGES)),
                                path(segment(), page -> get(() -> page(ApiRoute.PAGE, page))),
                                path(
                                        segment().slash(segment()),
                                        (folder, page) -> get(() -> page(ApiRoute.FOLDER_PAGE, folder + "/" + page))))),
                pathPrefix(
                        "errors",
                        () -> concat(
                                pathEndOrSingleSlash(() -> index(ApiRoute.PROBLEMS, PROBLEMS)),
                                path(segment(), code -> get(() -> error(code))))),
                path("openapi.yaml", () -> get(() -> document(ApiRoute.OPENAPI_YAML, YAML, OPENAPI_YAML))),
                path(
                        "openapi.json",
                        () -> get(() -> document(ApiRoute.OPENAPI_JSON, ContentTypes.APPLICATION_JSON, OPENAPI_JSON))));
    }

    // ---- lists

    private static IndexView start() {
        return new IndexView(
                "Holdfast",
                List.of(
                        EntryView.page("/docs/http.md", "how to call it: begin here"),
                        EntryView.page("/docs", "every page of this documentation"),
                        EntryView.page("/v1", "every route, in a line each"),
                        EntryView.page("/openapi.json", "every route, in full: OpenAPI 3.1"),
                        EntryView.page("/openapi.yaml", "the same, in YAML"),
                        EntryView.page("/errors", "every code of a problem"),
                        EntryView.page("/health/live", "whether the process answers"),
                        EntryView.page("/health/ready", "whether it can serve, part by part"),
                        EntryView.page("/metrics", "what Prometheus reads")));
    }

    private static IndexView routes() {
        return new IndexView(
                "Routes",
                Stream.of(ApiRoute.values())
                        .filter(route -> route.template().startsWith("/v1/"))
                        .map(route -> new EntryView(Optional.of(route.method()), route.template(), summary(route)))
                        .toList());
    }

    private static String summary(ApiRoute route) {
        return OPENAPI.path("paths")
                .path(route.template())
                .path(route.method().toLowerCase(Locale.ROOT))
                .path("summary")
                .asText();
    }

    private static IndexView pages() {
        return new IndexView("Documentation", DocumentPages.listed());
    }

    private static IndexView problems() {
        return new IndexView(
                "Codes of problems",
                Stream.of(ProblemCode.values())
                        .map(code -> EntryView.page(code.type(), code.status() + " " + code.title()))
                        .toList());
    }

    private static Route index(ApiRoute route, IndexView index) {
        return get(() -> extractRequest(request -> complete(named(
                route,
                HtmlPage.isPreferred(request, MediaTypes.APPLICATION_JSON)
                        ? text(HTML, HtmlPage.of(index))
                        : Answers.json(200, index)))));
    }

    // ---- pages

    private static Route page(ApiRoute route, String name) {
        return extractRequest(request -> complete(named(
                route,
                (name.endsWith(".md")
                                ? DocumentPages.page(name).map(markdown -> markdown(request, markdown))
                                : DocumentPages.file(name)
                                        .map(bytes -> HttpResponse.create().withEntity(type(name), bytes)))
                        .orElseGet(() -> Answers.problem(Problem.of(
                                ProblemCode.NO_SUCH_ROUTE,
                                "There is no such page; /docs lists those there are.",
                                Endpoint.path(request)))))));
    }

    private static ContentType type(String name) {
        String ending = name.substring(name.lastIndexOf('.') + 1);
        return switch (ending) {
            case "yaml", "yml" -> YAML;
            case "json" -> ContentTypes.APPLICATION_JSON;
            default -> TEXT;
        };
    }

    private static Route error(String code) {
        return extractRequest(request -> complete(named(
                ApiRoute.PROBLEM,
                Optional.ofNullable(CODES.get(code))
                        .map(known -> markdown(request, known.page()))
                        .orElseGet(() -> Answers.problem(Problem.of(
                                ProblemCode.NO_SUCH_ROUTE,
                                "There is no such problem code; /errors lists those there are.",
                                Endpoint.path(request)))))));
    }

    private static HttpResponse markdown(HttpRequest request, String markdown) {
        return HtmlPage.isPreferred(request, MARKDOWN.mediaType())
                ? text(HTML, HtmlPage.of(markdown))
                : text(MARKDOWN, markdown);
    }

    private static HttpResponse text(ContentType type, String text) {
        return HttpResponse.create().withEntity(type, text.getBytes(StandardCharsets.UTF_8));
    }

    // ---- the OpenAPI document

    private static Route document(ApiRoute route, ContentType type, byte[] bytes) {
        return complete(named(route, HttpResponse.create().withEntity(type, bytes)));
    }

    private static HttpResponse named(ApiRoute route, HttpResponse response) {
        return response.addAttribute(Endpoint.ROUTE, route);
    }

    private static JsonNode tree(byte[] yaml) {
        try {
            return new ObjectMapper(new YAMLFactory()).readTree(yaml);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] json(JsonNode tree) {
        try {
            return new ObjectMapper().writeValueAsBytes(tree);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the OpenAPI document can't be written as JSON", e);
        }
    }
}
