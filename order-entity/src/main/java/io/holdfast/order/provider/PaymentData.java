package io.holdfast.order.provider;

import io.holdfast.json.Fields;
import io.holdfast.json.InputError.Code;
import io.holdfast.json.JsonLimits;
import io.holdfast.json.JsonReader;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.Parsed;
import io.holdfast.order.domain.Money;
import io.holdfast.order.domain.Payment;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** A payment as it is written in JSON, in answers and notices alike: fields beyond these may be there. */
final class PaymentData {

    /** A provider may say more than is read here. */
    private static final JsonReader JSON = new JsonReader(new JsonLimits(16, 64, 4 * 1024, 128));

    private static final Pattern CURRENCY = Pattern.compile("[A-Z]{3}");

    private PaymentData() {}

    static Parsed<ObjectValue> object(byte[] utf8) {
        return JSON.read(utf8);
    }

    /** @param provider who says so */
    static Supplier<Payment> in(Fields fields, String provider) {
        var id = fields.id("payment_id");
        var transaction = fields.id("provider_transaction");
        var amount = fields.integer("amount", 1, Fields.MAX_INTEGER);
        var currency = fields.optionalString(
                "currency",
                text -> CURRENCY.matcher(text).matches() ? Optional.of(text) : Optional.<String>empty(),
                "three capitals");
        var paidAt = fields.optionalInstant("paid_at");
        if (!fields.has("currency")) {
            fields.fault("currency", Code.MISSING, "This is required.");
        }
        if (!fields.has("paid_at")) {
            fields.fault("paid_at", Code.MISSING, "This is required.");
        }
        return () -> new Payment(
                id.get(),
                provider,
                transaction.get(),
                new Money(amount.get(), currency.get().orElseThrow()),
                paidAt.get().orElseThrow());
    }
}
