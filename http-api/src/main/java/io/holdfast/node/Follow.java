package io.holdfast.node;

import io.holdfast.compensation.domain.CompensationMachine;
import io.holdfast.config.Settings;
import io.holdfast.config.StreamsSection;
import io.holdfast.engine.fleet.Bell;
import io.holdfast.http.route.StreamParts;
import io.holdfast.messaging.follow.FollowSettings;
import io.holdfast.messaging.follow.JournalFollowers;
import io.holdfast.messaging.follow.JournalSource;
import io.holdfast.messaging.out.JournalMessages;
import io.holdfast.messaging.out.Past;
import io.holdfast.order.domain.OrderMachine;
import io.holdfast.reservation.domain.ReservationMachine;
import io.holdfast.reservation.domain.StockPoolMachine;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;
import javax.sql.DataSource;

/** Who follows the journal from outside, by streams of this node. */
final class Follow {

    /** Entities of each machine whose journal need not be read again when more of it is told. */
    private static final int REMEMBERED_OF_TAIL = 5_000;

    private static final int REMEMBERED_OF_PAST = 200;

    private Follow() {}

    /** Begins to serve streams; nothing is read as long as there are none. */
    static StreamParts start(Settings settings, DataSource views, Bell bell, MeterRegistry registry, Closing closing) {
        StreamsSection section = settings.streams();
        var followers = closing.add(
                "the followers of the journal",
                new JournalFollowers(
                        JournalSource.in(views),
                        messages(settings, views, REMEMBERED_OF_TAIL),
                        messages(settings, views, REMEMBERED_OF_PAST),
                        bell,
                        // Longer than a stream may stand still: this is for those that never began.
                        FollowSettings.of(section.most(), section.stall().multipliedBy(2))));
        Gauge.builder("holdfast.http.streams", followers, JournalFollowers::following)
                .description("Streams of events that are open at this node")
                .register(registry);
        followers.start();
        return new StreamParts(followers, source(settings), section.heartbeat(), section.stall(), section.longest());
    }

    /** Where events of this fleet come from. */
    static String source(Settings settings) {
        return "/holdfast/" + settings.node().name();
    }

    /** What journals announce, whether or not this fleet makes the orders now. */
    static JournalMessages messages(Settings settings, DataSource journal, int remembered) {
        var policies = Parts.policies(settings);
        return new JournalMessages(
                new ReservationMachine(policies),
                new StockPoolMachine(policies),
                new CompensationMachine(Parts.compensations(settings)),
                Optional.of(new OrderMachine(Parts.orders(settings))),
                Past.in(journal),
                remembered);
    }
}
