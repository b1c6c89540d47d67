package io.holdfast.http.wire;

import io.holdfast.json.ContentHash;
import io.holdfast.json.Fields;
import io.holdfast.json.InputError.Code;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.Parsed;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.Resolution;
import java.util.Optional;
import java.util.function.Supplier;

/** What a person orders of a reservation, read from a body: to stop, or how to go on. Both have a reason, which is kept. */
public sealed interface ReviewRequest {

    /** What it orders, without who and when. */
    ContentHash content();

    /** The command. */
    ReservationCommand command();

    /**
     * Body of {@code POST /v1/reservations/{id}/freeze}.
     *
     * @param reason for people; kept in the journal
     */
    record Freeze(String reason) implements ReviewRequest {
        /** Reads a body. */
        public static Parsed<ReviewRequest> parse(ObjectValue body) {
            var fields = new Fields(body);
            var reason = why(fields);
            return fields.into(() -> new Freeze(reason.get().orElseThrow()));
        }

        @Override
        public ContentHash content() {
            return ContentHash.of("freeze").with("reason", reason);
        }

        @Override
        public ReservationCommand command() {
            return new ReservationCommand.Freeze(reason);
        }
    }

    /**
     * Body of {@code POST /v1/reservations/{id}/resolve}.
     *
     * @param reason for people; kept in the journal
     */
    record Resolve(Choice resolution, String reason) implements ReviewRequest {
        /** Reads a body. */
        public static Parsed<ReviewRequest> parse(ObjectValue body) {
            var fields = new Fields(body);
            var resolution = fields.optionalChoice("resolution", Choice.class);
            var reason = why(fields);
            if (!fields.has("resolution")) {
                fields.fault("resolution", Code.MISSING, "Say how it goes on: the review names what is allowed.");
            }
            return fields.into(() ->
                    new Resolve(resolution.get().orElseThrow(), reason.get().orElseThrow()));
        }

        @Override
        public ContentHash content() {
            return ContentHash.of("resolve")
                    .with("resolution", resolution.name())
                    .with("reason", reason);
        }

        @Override
        public ReservationCommand command() {
            return new ReservationCommand.Lift(resolution.resolution(), reason);
        }
    }

    /** How a resolution is written. */
    enum Choice {
        /** The kept state stands, and what it owes goes on. */
        CONTINUE,
        /** Its units are sold. */
        CONFIRMED,
        /** Nothing is held, and there is no order. */
        CANCELED,
        /** Everything went back. */
        REFUNDED;

        Resolution resolution() {
            return switch (this) {
                case CONTINUE -> new Resolution.Continue();
                case CONFIRMED -> new Resolution.StandAs(Resolution.Ending.CONFIRMED);
                case CANCELED -> new Resolution.StandAs(Resolution.Ending.CANCELED);
                case REFUNDED -> new Resolution.StandAs(Resolution.Ending.REFUNDED);
            };
        }

        static Choice of(Resolution resolution) {
            return switch (resolution) {
                case Resolution.Continue() -> CONTINUE;
                case Resolution.StandAs(Resolution.Ending ending) ->
                    switch (ending) {
                        case CONFIRMED -> CONFIRMED;
                        case CANCELED -> CANCELED;
                        case REFUNDED -> REFUNDED;
                    };
            };
        }
    }

    private static Supplier<Optional<String>> why(Fields fields) {
        if (!fields.has("reason")) {
            fields.fault("reason", Code.MISSING, "Say why: it is kept.");
        }
        return fields.optionalText("reason", CancelRequest.LONGEST_REASON);
    }
}
