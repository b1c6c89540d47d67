package io.holdfast.http.wire;

import io.holdfast.compensation.domain.CompensationCommand;
import io.holdfast.compensation.domain.Resolution;
import io.holdfast.compensation.domain.Statement;
import io.holdfast.json.ContentHash;
import io.holdfast.json.Fields;
import io.holdfast.json.InputError.Code;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.Parsed;
import io.holdfast.reservation.domain.Resolution.Ending;
import java.util.Optional;

/**
 * What a person orders of a compensation, read from a body.
 *
 * @param action what: to stop it, to say how it goes on, to agree to that, to take it back
 * @param resolution how it goes on, where the action says so
 * @param reason for people; kept in the journal
 * @param incident number of the incident it belongs to
 */
public record CompensationOrder(Action action, Optional<Choice> resolution, String reason, Optional<String> incident) {

    private static final int LONGEST_INCIDENT = 64;

    /** What is ordered. */
    enum Action {
        FREEZE,
        RESOLVE,
        APPROVE,
        DECLINE
    }

    /** How a resolution is written. */
    public enum Choice {
        /** The script is asked again. */
        AGAIN,
        /** Nothing moves: the order's units are sold. */
        CONFIRMED,
        /** Nothing moves: nothing is held, and there is no order. */
        CANCELED,
        /** Nothing moves: everything went back. */
        REFUNDED;

        static Choice of(Resolution resolution) {
            return switch (resolution) {
                case Resolution.Again() -> AGAIN;
                case Resolution.StandAs(Ending ending) ->
                    switch (ending) {
                        case CONFIRMED -> CONFIRMED;
                        case CANCELED -> CANCELED;
                        case REFUNDED -> REFUNDED;
                    };
            };
        }

        private Resolution resolution() {
            return switch (this) {
                case AGAIN -> new Resolution.Again();
                case CONFIRMED -> new Resolution.StandAs(Ending.CONFIRMED);
                case CANCELED -> new Resolution.StandAs(Ending.CANCELED);
                case REFUNDED -> new Resolution.StandAs(Ending.REFUNDED);
            };
        }
    }

    /** Body of {@code POST /v1/compensations/{key}/freeze}. */
    public static Parsed<CompensationOrder> freeze(ObjectValue body) {
        return parse(Action.FREEZE, false, false, body);
    }

    /** Body of {@code POST /v1/compensations/{key}/resolve}. */
    public static Parsed<CompensationOrder> resolve(ObjectValue body) {
        return parse(Action.RESOLVE, true, true, body);
    }

    /** Body of {@code POST /v1/compensations/{key}/approve}. */
    public static Parsed<CompensationOrder> approve(ObjectValue body) {
        return parse(Action.APPROVE, true, false, body);
    }

    /** Body of {@code POST /v1/compensations/{key}/decline}. */
    public static Parsed<CompensationOrder> decline(ObjectValue body) {
        return parse(Action.DECLINE, false, false, body);
    }

    private static Parsed<CompensationOrder> parse(
            Action action, boolean resolves, boolean needsIncident, ObjectValue body) {
        var fields = new Fields(body);
        var resolution = resolves ? fields.optionalChoice("resolution", Choice.class) : null;
        if (resolves && !fields.has("resolution")) {
            fields.fault("resolution", Code.MISSING, "Say how it goes on: the compensation names what is allowed.");
        }
        if (!fields.has("reason")) {
            fields.fault("reason", Code.MISSING, "Say why: it is kept.");
        }
        var reason = fields.optionalText("reason", CancelRequest.LONGEST_REASON);
        if (needsIncident && !fields.has("incident")) {
            fields.fault("incident", Code.MISSING, "Name the incident: it is kept.");
        }
        var incident = fields.optionalText("incident", LONGEST_INCIDENT);
        return fields.into(() -> new CompensationOrder(
                action,
                resolution == null ? Optional.empty() : resolution.get(),
                reason.get().orElseThrow(),
                incident.get()));
    }

    /** What it orders, without who and when. */
    public ContentHash content() {
        var content = ContentHash.of("compensation-" + action).with("reason", reason);
        resolution.ifPresent(choice -> content.with("resolution", choice.name()));
        incident.ifPresent(number -> content.with("incident", number));
        return content;
    }

    /**
     * The command.
     *
     * @param operator who orders it
     */
    public CompensationCommand command(String operator) {
        Statement by = new Statement(operator, reason, incident);
        return switch (action) {
            case FREEZE -> new CompensationCommand.Freeze(by);
            case RESOLVE ->
                new CompensationCommand.Resolve(resolution.orElseThrow().resolution(), by);
            case APPROVE ->
                new CompensationCommand.Approve(resolution.orElseThrow().resolution(), by);
            case DECLINE -> new CompensationCommand.Decline(by);
        };
    }
}
