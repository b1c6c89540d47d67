package io.holdfast.node;

import io.holdfast.engine.fleet.FleetWork;
import io.holdfast.engine.fleet.Pause;
import io.holdfast.messaging.kafka.DeadLetterAnomalies;
import io.holdfast.messaging.out.AnomalyNotices;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the list of what needs a person up to date with the broker, and tells of what is new in it. */
final class PersonsWork implements FleetWork {

    private static final Logger LOG = LoggerFactory.getLogger(PersonsWork.class);
    private static final Duration TELLS_EVERY = Duration.ofSeconds(1);
    private static final Duration LOOKS_EVERY = Duration.ofSeconds(10);

    private final DeadLetterAnomalies letters;
    private final AnomalyNotices notices;
    private final InstantSource clock;
    private Instant looksAt = Instant.MIN;

    PersonsWork(DeadLetterAnomalies letters, AnomalyNotices notices, InstantSource clock) {
        this.letters = letters;
        this.notices = notices;
        this.clock = clock;
    }

    @Override
    public String name() {
        return "what needs a person";
    }

    @Override
    public void begin(Connection connection) {
        looksAt = Instant.MIN;
    }

    @Override
    public Pause round(Connection connection) throws SQLException {
        Instant now = clock.instant();
        if (!now.isBefore(looksAt)) {
            looksAt = now.plus(LOOKS_EVERY);
            try {
                letters.look(connection, now);
            } catch (KafkaException e) {
                LOG.debug("the broker can't be asked for dead letters now", e);
            }
        }
        return notices.tell(connection) ? Pause.NONE : Pause.of(TELLS_EVERY);
    }

    @Override
    public void failed(Throwable failure) {
        LOG.warn("keeping the list of what needs a person failed; it begins again", failure);
    }
}
