package io.holdfast.http.route;

import io.holdfast.http.wire.IndexView;
import io.holdfast.http.wire.IndexView.EntryView;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.MediaType;
import org.apache.pekko.http.javadsl.model.MediaTypes;
import org.apache.pekko.http.javadsl.model.headers.Accept;

/** What is told of this API, for a person with a browser: as it is written, with links that can be followed. */
final class HtmlPage {

    private static final Pattern LINK = Pattern.compile("\\[((?:[^\\[\\]\\n]|\\n(?!\\n))*)]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");

    private HtmlPage() {}

    /** Whether the caller would rather have HTML than this. */
    static boolean isPreferred(HttpRequest request, MediaType other) {
        return quality(request, MediaTypes.TEXT_HTML) > quality(request, other);
    }

    /** How much a type is wanted: what the header says of it most specifically. */
    private static float quality(HttpRequest request, MediaType type) {
        float quality = 0;
        int closest = -1;
        for (Accept accept : request.getHeaders(Accept.class)) {
            for (var range : accept.getMediaRanges()) {
                int close = closeness(range.toString());
                if (range.matches(type) && close > closest) {
                    closest = close;
                    quality = range.qValue();
                }
            }
        }
        return quality;
    }

    private static int closeness(String range) {
        if (range.startsWith("*/*")) {
            return 0;
        }
        return range.contains("/*") ? 1 : 2;
    }

    /** A page of Markdown, line by line as it is. */
    static String of(String markdown) {
        Optional<String> title = HEADING.matcher(markdown).results().findFirst().map(found -> found.group(1));
        String linked = LINK.matcher(escaped(markdown)).replaceAll("<a href=\"$2\">$1</a>");
        String headed = HEADING.matcher(linked).replaceAll(HtmlPage::heading);
        return page(title.orElse("Holdfast"), "<pre>" + headed + "</pre>");
    }

    private static String heading(MatchResult found) {
        return java.util.regex.Matcher.quoteReplacement(
                "<strong id=\"" + anchor(found.group(1)) + "\">" + found.group() + "</strong>");
    }

    /** By what a link names a heading. */
    static String anchor(String heading) {
        return heading.replaceAll("<[^>]*>", "")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9 _-]", "")
                .replace(' ', '-');
    }

    /** A list of what there is. */
    static String of(IndexView index) {
        return page(
                index.title(),
                "<h1>" + escaped(index.title()) + "</h1>\n<ul>\n"
                        + index.entries().stream().map(HtmlPage::line).collect(Collectors.joining())
                        + "</ul>");
    }

    private static String line(EntryView entry) {
        String address = entry.method()
                .map(method -> "<code>" + escaped(method + " " + entry.href()) + "</code>")
                .orElseGet(() -> "<a href=\"" + escaped(entry.href()) + "\">" + escaped(entry.href()) + "</a>");
        return "<li>" + address + " " + escaped(entry.title()) + "</li>\n";
    }

    private static String page(String title, String body) {
        return """
            <!doctype html>
            <html lang="en">
            <head><meta charset="utf-8"><title>%s</title>
            <style>body { max-width: 70em; margin: 2em auto; padding: 0 1em } pre { white-space: pre-wrap }</style></head>
            <body>
            %s
            </body>
            </html>
            """.formatted(escaped(title), body);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
