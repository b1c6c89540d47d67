package io.holdfast.http.route;

import io.holdfast.json.InputError;
import io.holdfast.order.provider.PaymentNotices;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpRequest;

/**
 * Headers that mean one thing. Sent twice, whoever stands in between may have looked at the other one, so neither is believed, even where
 * both say the same. Of {@code Prefer}, which is a list, the first of two counts (RFC 7240).
 */
final class SingleHeaders {

    private static final Map<String, String> NAMES = Stream.of(
                    "Authorization", "Idempotency-Key", IfMatch.HEADER, "Last-Event-ID", PaymentNotices.HEADER)
            .collect(Collectors.toUnmodifiableMap(name -> name.toLowerCase(Locale.ROOT), Function.identity()));

    private SingleHeaders() {}

    /** Those that a request has more than once, a fault each. */
    static List<InputError> repeatedIn(HttpRequest request) {
        List<String> there = new ArrayList<>();
        for (HttpHeader header : request.getHeaders()) {
            String name = NAMES.get(header.lowercaseName());
            if (name != null) {
                there.add(name);
            }
        }
        return there.stream()
                .distinct()
                .filter(name -> Collections.frequency(there, name) > 1)
                .map(name -> InputError.header(name, InputError.Code.DUPLICATE, "This header occurs twice."))
                .toList();
    }
}
