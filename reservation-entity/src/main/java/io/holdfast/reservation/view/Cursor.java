package io.holdfast.reservation.view;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;

/** Where a page begins: after this reservation, in the order of the list. Opaque to callers. */
record Cursor(Instant createdAt, String reservationId) {

    String encoded() {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString((createdAt + " " + reservationId).getBytes(StandardCharsets.UTF_8));
    }

    /** @throws IllegalArgumentException if it was not made by {@link #encoded} */
    static Cursor decoded(String text) {
        try {
            String plain = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
            int blank = plain.indexOf(' ');
            if (blank < 0) {
                throw new IllegalArgumentException("this is not a cursor of a list of reservations");
            }
            return new Cursor(Instant.parse(plain.substring(0, blank)), plain.substring(blank + 1));
        } catch (DateTimeException | IllegalArgumentException e) {
            throw new IllegalArgumentException("this is not a cursor of a list of reservations", e);
        }
    }
}
