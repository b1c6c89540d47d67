package io.holdfast.simulation.store;

import io.holdfast.engine.entity.Entity;
import io.holdfast.engine.entity.Entry;
import io.holdfast.messaging.out.JournalStep;
import io.holdfast.messaging.out.MessageSink;
import io.holdfast.messaging.out.OrderMessages;
import io.holdfast.messaging.out.OutgoingMessage;
import io.holdfast.order.domain.Order;
import io.holdfast.order.domain.OrderCommand;
import io.holdfast.order.domain.OrderEvent;
import io.holdfast.testkit.simulation.SimulatedEntities;
import io.holdfast.testkit.simulation.SimulatedJournal.Place;
import io.holdfast.testkit.simulation.World;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Publishes what the journal of orders announces, entry by entry; whoever takes over begins where the last one had noted that it was. */
public final class OrderNews {

    private static final Duration QUICK = Duration.ofMillis(20);
    private static final Duration SLOW = Duration.ofSeconds(2);
    private static final int LOST_AT_MOST = 6;

    private final World world;
    private final MessageSink sink;
    private final SimulatedEntities<Order, OrderCommand, OrderEvent, ?> orders;
    private final boolean byNumberAlone;
    private long highest;
    private int published;
    private int publisher;

    /**
     * Through this sink.
     *
     * @param byNumberAlone whether it goes on from the highest number it has seen, as it must not
     */
    public OrderNews(
            World world,
            MessageSink sink,
            SimulatedEntities<Order, OrderCommand, OrderEvent, ?> orders,
            boolean byNumberAlone) {
        this.byNumberAlone = byNumberAlone;
        this.world = world;
        this.sink = sink;
        this.orders = orders;
    }

    /** Begins. Once. */
    public void follow() {
        next(publisher, sink.begin());
    }

    /** Another node takes over, a few entries before where this one was. */
    public void takeOver() {
        if (world.mishaps().strike("PublisherTakenOver", 1)) {
            publisher++;
            published = Math.max(0, published - world.chance().between(0, LOST_AT_MOST));
            next(publisher, sink.begin());
        }
    }

    /** Whether everything that is in the journal was published. */
    public boolean isPublished() {
        return published == orders.journal().size();
    }

    private void next(int mine, MessageSink.Run run) {
        if (mine != publisher) {
            return;
        }
        List<Place> places = orders.journal().places();
        if (published >= places.size()) {
            world.timeline().after(world.chance().between(QUICK, SLOW), "", () -> next(mine, run));
            return;
        }
        int reading = published;
        Place place = places.get(reading);
        boolean passed = byNumberAlone && place.ordering() < highest;
        highest = Math.max(highest, place.ordering());
        send(mine, run, reading, passed ? new ArrayDeque<>() : new ArrayDeque<>(messages(place)));
    }

    private void send(int mine, MessageSink.Run run, int reading, Deque<OutgoingMessage> messages) {
        if (mine != publisher) {
            return;
        }
        if (messages.isEmpty()) {
            published = reading + 1;
            next(mine, run);
            return;
        }
        run.send(messages.removeFirst()).whenComplete((_, failure) -> {
            if (failure == null) {
                send(mine, run, reading, messages);
            } else {
                world.timeline().after(world.chance().between(QUICK, SLOW), "", () -> next(mine, sink.begin()));
            }
        });
    }

    private List<OutgoingMessage> messages(Place place) {
        List<Entry<OrderEvent>> past = orders.journal().read(place.entityId());
        Entity<Order> before = Entity.fresh(orders.machine(), place.entityId());
        int last = (int) place.sequenceNumber() - 1;
        for (Entry<OrderEvent> entry : past.subList(0, last)) {
            before = before.after(orders.machine(), entry);
        }
        Entry<OrderEvent> entry = past.get(last);
        Entity<Order> after = before.after(orders.machine(), entry);
        String id = orders.machine().name() + "|" + place.entityId() + "#" + place.sequenceNumber();
        return OrderMessages.of(
                new JournalStep<>(id, place.sequenceNumber(), after.traceId(), before.state(), entry, after.state()));
    }
}
