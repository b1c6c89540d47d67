package io.holdfast.reservation.view;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.holdfast.engine.journal.JsonCodec;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.port.Loadable;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads states as far as a load needs them. A pool that is loaded anew may have a hundred thousand, of which nearly all are plain: of those
 * nothing is made but their numbers. Whatever does not look so at any point is read whole, by the codec of all states, which also says what is
 * wrong with it.
 */
final class LoadableStates {

    private static final JsonFactory JSON = new JsonFactory();

    private final JsonCodec<Reservation> states = JsonCodec.of(Reservation.class);

    /** @throws io.holdfast.engine.journal.UnreadableEntry if it is no state */
    Loadable read(byte[] json) {
        try (JsonParser parser = JSON.createParser(json)) {
            Optional<Loadable.Plain> plain = new Plain(parser).read();
            if (plain.isPresent()) {
                return plain.get();
            }
        } catch (IOException _) {
            // Not JSON, or a number that is none: the codec says so.
        }
        return Loadable.of(states.decode(json));
    }

    /** What has been read of one state; -1 where a number was not met. */
    private static final class Plain {

        private static final int NUMBERS = 7;

        private final JsonParser parser;
        private @Nullable String id;
        private @Nullable Books hold;
        private @Nullable Books latest;
        private long held = -1;
        private long released = -1;
        private long confirmed = -1;
        private boolean nothingRefunded;
        private boolean plain = true;

        Plain(JsonParser parser) {
            this.parser = parser;
        }

        /** Empty where the state is not plain, or can't be told to be. */
        Optional<Loadable.Plain> read() throws IOException {
            if (parser.nextToken() != JsonToken.START_OBJECT || !"type".equals(parser.nextFieldName())) {
                return Optional.empty();
            }
            String type = parser.nextTextValue();
            boolean sold = "Confirmed".equals(type);
            if (!sold && !"Reserved".equals(type) && !"CreatedReserved".equals(type)) {
                return Optional.empty();
            }
            for (String name = parser.nextFieldName(); plain && name != null; name = parser.nextFieldName()) {
                JsonToken value = parser.nextToken();
                switch (name) {
                    case "claim" -> claim(value);
                    case "account" -> account(value);
                    case "confirmed" -> confirmed = number(value);
                    default -> parser.skipChildren();
                }
            }
            if (!plain
                    || parser.currentToken() != JsonToken.END_OBJECT
                    || id == null
                    || hold == null
                    || latest == null
                    || held < 0
                    || released < 0
                    || !nothingRefunded
                    || sold != (confirmed >= 0)) {
                return Optional.empty();
            }
            return Optional.of(new Loadable.Plain(
                    id, held, sold ? OptionalLong.of(confirmed) : OptionalLong.empty(), released, hold, latest));
        }

        private void claim(JsonToken begin) throws IOException {
            plain = begin == JsonToken.START_OBJECT;
            for (String name = parser.nextFieldName(); plain && name != null; name = parser.nextFieldName()) {
                JsonToken value = parser.nextToken();
                switch (name) {
                    case "id" -> id = value == JsonToken.VALUE_STRING ? parser.getText() : null;
                    case "admission" -> plain = false;
                    default -> parser.skipChildren();
                }
            }
        }

        private void account(JsonToken begin) throws IOException {
            plain = begin == JsonToken.START_OBJECT;
            for (String name = parser.nextFieldName(); plain && name != null; name = parser.nextFieldName()) {
                JsonToken value = parser.nextToken();
                switch (name) {
                    case "hold" -> hold = books(value);
                    case "latest" -> latest = books(value);
                    case "held" -> held = number(value);
                    case "released" -> released = number(value);
                    case "refunds" ->
                        nothingRefunded = value == JsonToken.START_OBJECT && parser.nextToken() == JsonToken.END_OBJECT;
                    default -> parser.skipChildren();
                }
                plain = plain && (nothingRefunded || !name.equals("refunds"));
            }
        }

        private @Nullable Books books(JsonToken begin) throws IOException {
            if (begin != JsonToken.START_OBJECT) {
                plain = false;
                return null;
            }
            long epoch = 0;
            long version = 0;
            long total = 0;
            long deficit = 0;
            long available = 0;
            long reserved = 0;
            long sold = 0;
            int met = 0;
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                long number = number(parser.nextToken());
                met++;
                switch (name) {
                    case "epoch" -> epoch = number;
                    case "version" -> version = number;
                    case "total" -> total = number;
                    case "deficit" -> deficit = number;
                    case "available" -> available = number;
                    case "reserved" -> reserved = number;
                    case "sold" -> sold = number;
                    default -> plain = false;
                }
            }
            plain = plain && met == NUMBERS;
            return new Books(epoch, version, total, deficit, available, reserved, sold);
        }

        private long number(JsonToken value) throws IOException {
            if (value != JsonToken.VALUE_NUMBER_INT) {
                plain = false;
                parser.skipChildren();
                return -1;
            }
            return parser.getLongValue();
        }
    }
}
