package io.holdfast.http.wire;

import io.holdfast.json.Fields;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.Parsed;

/**
 * Body of {@code POST /v1/sales/{activity}/skus/{sku}/reservations}: a user asks to be let in.
 *
 * @param userId whose request it is
 * @param requestId the user's own id of it: asked again under it, it is the same request
 * @param quantity units
 */
public record AdmissionRequest(String userId, String requestId, long quantity) {

    /** Reads a body. */
    public static Parsed<AdmissionRequest> parse(ObjectValue body) {
        var fields = new Fields(body);
        var user = fields.id("user_id");
        var request = fields.id("request_id");
        var quantity = fields.optionalInteger("quantity", 1, Fields.MAX_INTEGER);
        return fields.into(() ->
                new AdmissionRequest(user.get(), request.get(), quantity.get().orElse(1L)));
    }
}
