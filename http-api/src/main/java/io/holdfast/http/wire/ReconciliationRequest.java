package io.holdfast.http.wire;

import io.holdfast.json.Fields;
import io.holdfast.json.InputError.Code;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.Parsed;
import io.holdfast.reconciliation.RunRequest;
import io.holdfast.reconciliation.RunRequest.Mode;
import io.holdfast.reconciliation.RunRequest.Scope;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Body of {@code POST /v1/reconciliations}.
 *
 * @param scope which pools
 * @param mode whether it may repair
 * @param full whether it looks at every reservation
 */
public record ReconciliationRequest(Scope scope, Mode mode, boolean full) {

    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._:-]{1,194}");

    /** Reads a body. */
    public static Parsed<ReconciliationRequest> parse(ObjectValue body) {
        var fields = new Fields(body);
        var pool = fields.optionalString("pool", Pools::known, Pools.SYNTAX);
        var prefix = fields.optionalString(
                "prefix",
                text -> PREFIX.matcher(text).matches() ? Optional.of(text) : Optional.empty(),
                "the beginning of a pool id, such as m1:");
        var all = fields.optionalBool("all");
        var mode = fields.optionalString("mode", ReconciliationRequest::mode, "dry-run or repair");
        var full = fields.optionalBool("full");
        int scopes = (fields.has("pool") ? 1 : 0) + (fields.has("prefix") ? 1 : 0) + (fields.has("all") ? 1 : 0);
        if (scopes == 0) {
            fields.fault("pool", Code.MISSING, "Give pool, prefix or all.");
        } else if (scopes > 1) {
            fields.fault("pool", Code.CONFLICTING, "Give one of pool, prefix and all.");
        } else if (fields.has("all") && !all.get().orElse(true)) {
            fields.fault("all", Code.CONFLICTING, "Leave it out, or say true.");
        }
        return fields.into(() -> new ReconciliationRequest(
                pool.get()
                        .<Scope>map(one -> new Scope.OnePool(one.value()))
                        .or(() -> prefix.get().map(Scope.Prefix::new))
                        .orElseGet(Scope.All::new),
                mode.get().orElse(Mode.DRY_RUN),
                full.get().orElse(false)));
    }

    private static Optional<Mode> mode(String text) {
        return switch (text) {
            case "dry-run" -> Optional.of(Mode.DRY_RUN);
            case "repair" -> Optional.of(Mode.REPAIR);
            default -> Optional.empty();
        };
    }

    /** What is wanted, of this caller. */
    public RunRequest of(String caller) {
        return new RunRequest(scope, mode, full, caller);
    }
}
