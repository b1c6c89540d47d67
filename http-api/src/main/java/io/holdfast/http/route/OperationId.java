package io.holdfast.http.route;

import io.holdfast.json.ContentHash;
import io.holdfast.reservation.domain.Ids;

/**
 * The id under which a pool's operation goes to Redis. Keys of operations are narrower than idempotency keys: a key that would not be one
 * there is replaced by its hash, or the operation could never be done and would hold up all that come after it.
 */
final class OperationId {

    private static final int HEX_DIGITS = 32;

    private OperationId() {}

    static String of(String causeId) {
        return Ids.isPart(causeId)
                ? causeId
                : "key-"
                        + ContentHash.of("operation").with("key", causeId).hex().substring(0, HEX_DIGITS);
    }
}
