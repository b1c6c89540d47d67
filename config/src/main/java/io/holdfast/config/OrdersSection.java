package io.holdfast.config;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * {@code holdfast.orders}.
 *
 * @param url where the order domain is asked for news of an overdue hold, with names in braces; empty when nobody is asked
 * @param token sent with each question
 * @param timeout of one question
 * @param together questions at a time
 * @param asks about one hold at most
 * @param askFirst wait before the second question
 * @param askLongest the wait grows up to this
 * @param service who decides the orders of admitted holds
 */
public record OrdersSection(
        Optional<String> url,
        Secret token,
        Duration timeout,
        int together,
        int asks,
        Duration askFirst,
        Duration askLongest,
        OrderServiceSection service) {

    private static final Pattern URL =
            Pattern.compile("https?://[^{}\\s@#]+(\\{(order|reservation|merchant|dish)}[^{}\\s@#]*)*");

    static OrdersSection read(SettingsReader reader) {
        var section = new OrdersSection(
                reader.optionalText("url"),
                reader.secret("token"),
                reader.duration("timeout", Duration.ofMillis(100), Duration.ofMinutes(1)),
                reader.integer("together", 1, 10_000),
                reader.integer("asks", 1, 1000),
                reader.duration("ask-first", Duration.ofSeconds(1), Duration.ofDays(1)),
                reader.duration("ask-longest", Duration.ofSeconds(1), Duration.ofDays(7)),
                OrderServiceSection.read(reader.section("service")));
        if (section.url().filter(url -> !URL.matcher(url).matches()).isPresent()) {
            throw reader.bad(
                    "url",
                    "an http or https address; {order}, {reservation}, {merchant} and {dish} in it are filled in");
        }
        reader.atLeast("ask-longest", section.askLongest(), "ask-first", section.askFirst());
        return section;
    }

    /** Whether nobody on the way can read or change what is asked; so it is when nobody is. */
    public boolean encrypted() {
        return url.filter(address -> !address.startsWith("https:")).isEmpty();
    }
}
