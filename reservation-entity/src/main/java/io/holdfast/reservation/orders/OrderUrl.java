package io.holdfast.reservation.orders;

import io.holdfast.reservation.domain.ReservationEffect.AskOrder;
import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the order domain is asked: an address with {@code {order}}, {@code {reservation}}, {@code {merchant}} or {@code {dish}} in it. Ids have
 * no character that an address would have to escape.
 */
public record OrderUrl(String template) {

    private static final Pattern NAME = Pattern.compile("\\{([^{}]*)}");

    /** @throws IllegalArgumentException unless it is an http or https address with no other name in it */
    public OrderUrl {
        Matcher names = NAME.matcher(template);
        while (names.find()) {
            switch (names.group(1)) {
                case "order", "reservation", "merchant", "dish" -> {}
                default -> throw new IllegalArgumentException("it names {" + names.group(1) + "}, which is not known");
            }
        }
        URI plain = URI.create(NAME.matcher(template).replaceAll("x"));
        boolean web = "http".equals(plain.getScheme()) || "https".equals(plain.getScheme());
        if (!web || plain.getHost() == null || plain.getUserInfo() != null || plain.getFragment() != null) {
            throw new IllegalArgumentException("it is no http or https address without a user in it");
        }
    }

    /** Whether nobody on the way can read or change what is asked. */
    public boolean encrypted() {
        return template.startsWith("https:");
    }

    /** The address for this question. */
    URI of(AskOrder question) {
        return URI.create(template.replace("{order}", question.line().orderId())
                .replace("{reservation}", question.reservationId())
                .replace("{merchant}", question.line().merchant())
                .replace("{dish}", question.line().dish()));
    }
}
