package io.holdfast.http.wire;

import io.holdfast.json.Fields;
import io.holdfast.json.InputError.Code;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.Parsed;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Body of {@code POST /v1/payment-reconciliations}.
 *
 * @param from payments made from then on
 * @param to and before this
 * @param repair whether orders are told of payments they do not know
 */
public record StatementRequest(Instant from, Instant to, boolean repair) {

    private static final Duration LONGEST = Duration.ofDays(31);

    private enum Mode {
        DRY_RUN,
        REPAIR
    }

    /** Reads a body. */
    public static Parsed<StatementRequest> parse(ObjectValue body) {
        var fields = new Fields(body);
        var from = fields.optionalInstant("from");
        var to = fields.optionalInstant("to");
        var mode = fields.optionalString("mode", StatementRequest::mode, "dry-run or repair");
        for (String name : new String[] {"from", "to"}) {
            if (!fields.has(name)) {
                fields.fault(name, Code.MISSING, "This is required.");
            }
        }
        if (from.get().isPresent() && to.get().isPresent()) {
            Duration stretch = Duration.between(from.get().get(), to.get().get());
            if (!stretch.isPositive() || stretch.compareTo(LONGEST) > 0) {
                fields.fault("to", Code.CONFLICTING, "It must be later than from, by at most 31 days.");
            }
        }
        return fields.into(() -> new StatementRequest(
                from.get().orElseThrow(), to.get().orElseThrow(), mode.get().orElse(Mode.DRY_RUN) == Mode.REPAIR));
    }

    private static Optional<Mode> mode(String text) {
        return switch (text) {
            case "dry-run" -> Optional.of(Mode.DRY_RUN);
            case "repair" -> Optional.of(Mode.REPAIR);
            default -> Optional.empty();
        };
    }
}
