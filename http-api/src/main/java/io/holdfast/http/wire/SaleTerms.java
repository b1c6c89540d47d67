package io.holdfast.http.wire;

import io.holdfast.json.Fields;
import io.holdfast.json.InputError.Code;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.Parsed;
import io.holdfast.reservation.domain.Buckets;
import io.holdfast.reservation.domain.Sale;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Member {@code sale} of the body of {@code PUT /v1/pools/{pool}}: users' requests are let in by a gate.
 *
 * @param limitPerUser units a user may hold at a time
 * @param opensAt from when on
 * @param closesAt until when
 * @param buckets pools that its stock lies in, 1 to 64
 */
public record SaleTerms(long limitPerUser, Instant opensAt, Instant closesAt, int buckets) {

    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    /** Reads it. */
    static Parsed<SaleTerms> parse(ObjectValue body) {
        var fields = new Fields(body);
        var limit = fields.optionalInteger("limit_per_user", 1, Fields.MAX_INTEGER);
        var opens = moment(fields, "opens_at");
        var closes = moment(fields, "closes_at");
        if (opens.get().isPresent()
                && closes.get().isPresent()
                && !closes.get().get().isAfter(opens.get().get())) {
            fields.fault("closes_at", Code.CONFLICTING, "A sale closes after it opens.");
        }
        var buckets = fields.optionalInteger("buckets", 1, Buckets.MOST);
        return fields.into(() -> new SaleTerms(
                limit.get().orElse(1L),
                opens.get().orElseThrow(),
                closes.get().orElseThrow(),
                Math.toIntExact(buckets.get().orElse(1L))));
    }

    private static Supplier<Optional<Instant>> moment(Fields fields, String name) {
        var moment = fields.optionalInstant(name);
        if (!fields.has(name)) {
            fields.fault(name, Code.MISSING, "This field must be given.");
        }
        boolean outside = moment.get()
                .filter(at -> at.isBefore(Instant.EPOCH)
                        || at.isAfter(LATEST)
                        || !at.equals(at.truncatedTo(ChronoUnit.MILLIS)))
                .isPresent();
        if (outside) {
            fields.fault(name, Code.OUT_OF_RANGE, "Must be whole milliseconds from 1970 to 9999.");
        }
        return moment;
    }

    Sale sale(int keyVersion) {
        return new Sale(
                limitPerUser,
                opensAt,
                closesAt,
                keyVersion,
                buckets > 1 ? Optional.of(new Buckets(buckets, 0)) : Optional.empty());
    }
}
