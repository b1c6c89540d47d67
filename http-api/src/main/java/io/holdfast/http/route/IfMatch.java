package io.holdfast.http.route;

import io.holdfast.json.Fields;
import io.holdfast.json.InputError;
import io.holdfast.json.Integers;
import io.holdfast.json.Parsed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpRequest;

/** What the {@code If-Match} header (RFC 9110) makes a condition of a change. */
sealed interface IfMatch {

    /** Name of the header. */
    String HEADER = "If-Match";

    /** There is no condition, or any version will do. */
    record Any() implements IfMatch {}

    /** The baseline must have this version. */
    record Version(long version) implements IfMatch {}

    /** A tag that was never given out, or a weak one, which is no tag for this: it matches nothing. */
    record Nothing() implements IfMatch {}

    /** One entity tag, and no control characters in it. */
    Pattern ONE = Pattern.compile("(W/)?\"([\\x21\\x23-\\x7e]{0,64})\"");

    /** The tag of a version. */
    static String tag(long version) {
        return "\"" + version + "\"";
    }

    /** Whether a request has a condition. */
    static boolean isIn(HttpRequest request) {
        return !values(request).isEmpty();
    }

    /** The condition of a request. */
    static Parsed<IfMatch> of(HttpRequest request) {
        List<String> values = values(request);
        if (values.isEmpty() || values.equals(List.of("*"))) {
            return Parsed.valid(new Any());
        }
        Matcher one = ONE.matcher(values.getFirst());
        if (values.size() > 1 || !one.matches()) {
            return Parsed.invalid(InputError.header(
                    HEADER, InputError.Code.BAD_SYNTAX, "Must be one entity tag as ETag gives it, or an asterisk."));
        }
        Optional<Long> version = one.group(1) == null ? Integers.parse(one.group(2)) : Optional.empty();
        return Parsed.valid(version.filter(number -> number >= 1 && number <= Fields.MAX_INTEGER)
                .<IfMatch>map(Version::new)
                .orElseGet(Nothing::new));
    }

    private static List<String> values(HttpRequest request) {
        List<String> values = new ArrayList<>();
        for (HttpHeader header : request.getHeaders()) {
            if (header.is("if-match")) {
                values.add(header.value().strip());
            }
        }
        return values;
    }
}
