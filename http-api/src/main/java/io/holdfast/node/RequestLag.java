package io.holdfast.node;

import io.holdfast.messaging.kafka.BrokerReading;
import io.holdfast.messaging.kafka.BrokerWatch;
import io.holdfast.order.port.RequestBacklog;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Requests for orders that wait in their topic, as the watch on the broker saw them last. What was not looked at since is not known; and
 * orders are there before the watch is: until then nothing is known either.
 */
final class RequestLag implements RequestBacklog {

    private final Duration limit;
    private volatile Optional<Watched> watched = Optional.empty();

    private record Watched(BrokerWatch watch, String topic) {}

    /** @param limit a request that waits no longer than this is put up with */
    RequestLag(Duration limit) {
        this.limit = limit;
    }

    /** From now on this is asked. */
    void isSeenBy(BrokerWatch watch, String topic) {
        watched = Optional.of(new Watched(watch, topic));
    }

    @Override
    public Optional<String> mayHold(Instant sentBy) {
        Optional<Watched> now = watched;
        Optional<BrokerReading> seen = now.flatMap(one -> one.watch().latest());
        if (now.isEmpty() || seen.isEmpty()) {
            return Optional.of("nobody knows what waits in the topic of requests: the broker does not answer");
        }
        BrokerReading reading = seen.get();
        if (reading.at().isBefore(sentBy)) {
            return Optional.of("the topic of requests was not looked at since " + sentBy);
        }
        BrokerReading.Lag lag = reading.lag().get(now.get().topic());
        if (lag == null) {
            return Optional.of("there is no topic " + now.get().topic());
        }
        return lag.oldest().compareTo(limit) > 0
                ? Optional.of("the oldest request waits for " + lag.oldest().toSeconds() + " s")
                : Optional.empty();
    }
}
