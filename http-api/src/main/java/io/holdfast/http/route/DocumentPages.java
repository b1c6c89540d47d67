package io.holdfast.http.route;

import io.holdfast.http.wire.IndexView.EntryView;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The folder {@code docs} of this repository, which the build lays beside the classes. What a page links to and no node has, which is code,
 * is named there by its path instead.
 */
final class DocumentPages {

    /** Where they are served. */
    static final String ADDRESS = "/docs/";

    private static final String FOLDER = "/io/holdfast/http/docs/";
    private static final Pattern NAME = Pattern.compile("([a-z]+/)?[A-Za-z0-9_-]+\\.(md|yaml|yml|json|http)");
    private static final Pattern LINK =
            Pattern.compile("\\[((?:[^\\[\\]\\n]|\\n(?!\\n))*)]\\(([^)\\s#]+)(#[^)\\s]*)?\\)");
    private static final Pattern LISTED = Pattern.compile("(?m)^- \\[([^\\]]+)]\\(([^)]+)\\): (.+)$");

    private DocumentPages() {}

    /** A file as it is, by its path within the folder. */
    static Optional<byte[]> file(String name) {
        if (!NAME.matcher(name).matches()) {
            return Optional.empty();
        }
        try (InputStream file = DocumentPages.class.getResourceAsStream(FOLDER + name)) {
            return file == null ? Optional.empty() : Optional.of(file.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A page of Markdown with no link that leads nowhere. */
    static Optional<String> page(String name) {
        return file(name)
                .map(bytes -> LINK.matcher(new String(bytes, StandardCharsets.UTF_8))
                        .replaceAll(link -> Matcher.quoteReplacement(alive(name, link))));
    }

    private static String alive(String page, MatchResult link) {
        String target = link.group(2);
        if (target.contains("://")) {
            return link.group();
        }
        int slash = page.indexOf('/');
        String path = java.net
                .URI
                .create("docs/" + page.substring(0, slash + 1) + target)
                .normalize()
                .toString();
        return path.startsWith("docs/")
                        && file(path.substring("docs/".length())).isPresent()
                ? link.group()
                : link.group(1) + " (`" + path + "`)";
    }

    /** The pages as the page about all of them lists them. */
    static List<EntryView> listed() {
        return LISTED.matcher(page("README.md").orElseThrow())
                .results()
                .map(found -> EntryView.page(ADDRESS + found.group(2), found.group(1) + ": " + found.group(3)))
                .toList();
    }
}
