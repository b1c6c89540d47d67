package io.holdfast.chaos;

import io.holdfast.chaos.Op.Kind;
import io.holdfast.chaos.Op.Told;
import io.holdfast.reservation.domain.ReservationIds;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Buys dishes: holds, looks, and has the order told by HTTP or Kafka, sometimes twice at once, sometimes both ways at once, and gives some
 * back.
 */
final class DishBuyer {

    private static final int MOST_UNITS = 3;

    private final Fleet fleet;
    private final Shelf shelf;
    private final OrderNews news;
    private final RandomGenerator chance;
    private final String name;
    private int items;

    DishBuyer(Fleet fleet, Shelf shelf, OrderNews news, RandomGenerator chance, String name) {
        this.fleet = fleet;
        this.shelf = shelf;
        this.news = news;
        this.chance = chance;
        this.name = name;
    }

    private record Item(String id, String order, String pool, String dish, String item, long quantity) {}

    /** One purchase, from beginning to end. */
    void buy() throws InterruptedException {
        String dish = shelf.dish();
        items++;
        String itemId = name + "-" + items;
        var item = new Item(
                ReservationIds.journalFirst(Shelf.MERCHANT, dish, itemId),
                "order-" + itemId,
                Shelf.poolOfDish(dish),
                dish,
                itemId,
                chance.nextInt(1, MOST_UNITS + 1));
        Op held = chance.nextInt(6) == 0 ? heldTwiceAtOnce(item) : hold(item);
        look(item);
        if (held.told() == Told.REFUSED && held.code().startsWith("SOLD_OUT") && chance.nextInt(3) == 0) {
            shelf.nextDish(dish);
        }
        if (held.told() == Told.DONE || held.told() == Told.OPEN) {
            decide(item);
        }
    }

    private Op hold(Item item) throws InterruptedException {
        return fleet.ask(
                new Fleet.About(Kind.HOLD, item.id(), item.pool(), item.quantity(), ""),
                "/v1/reservations",
                body(item),
                "hold-" + item.item());
    }

    private static Map<String, ?> body(Item item) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("pool", item.pool());
        body.put("order_id", item.order());
        body.put("order_item_id", item.item());
        body.put("quantity", item.quantity());
        return body;
    }

    private Op heldTwiceAtOnce(Item item) throws InterruptedException {
        return Beside.run(() -> hold(item), () -> hold(item));
    }

    private void decide(Item item) throws InterruptedException {
        switch (chance.nextInt(10)) {
            case 0 -> {} // nobody ever says what became of its order
            case 1, 2, 3 -> {
                confirm(item);
                look(item);
                if (chance.nextInt(3) == 0) {
                    refund(item);
                }
            }
            case 4, 5 -> cancel(item);
            case 6, 7 -> news.created(item.id(), item.order());
            case 8 -> news.failed(item.id(), item.order());
            default -> {
                // One of them wins, and the other hears so.
                Beside.run(() -> confirm(item), () -> cancel(item));
            }
        }
        look(item);
    }

    private Op confirm(Item item) throws InterruptedException {
        return fleet.ask(
                new Fleet.About(Kind.CONFIRM, item.id(), item.pool(), item.quantity(), ""),
                "/v1/reservations/" + item.id() + "/confirm",
                Map.of("order_id", item.order()),
                "confirm-" + item.item());
    }

    private Op cancel(Item item) throws InterruptedException {
        return fleet.ask(
                new Fleet.About(Kind.CANCEL, item.id(), item.pool(), item.quantity(), ""),
                "/v1/reservations/" + item.id() + "/cancel",
                Map.of("order_id", item.order()),
                "cancel-" + item.item());
    }

    private void refund(Item item) throws InterruptedException {
        String refund = "refund-" + item.item();
        var about = new Fleet.About(Kind.REFUND, item.id(), item.pool(), 1, refund);
        String target = "/v1/reservations/" + item.id() + "/refunds";
        Map<String, ?> body = Map.of("refund_id", refund, "quantity", 1);
        if (chance.nextBoolean()) {
            Beside.run(() -> fleet.ask(about, target, body, refund), () -> fleet.ask(about, target, body, refund));
        } else {
            fleet.ask(about, target, body, refund);
        }
    }

    private void look(Item item) throws InterruptedException {
        int first = chance.nextInt(fleet.nodes());
        for (int reads = chance.nextInt(3); reads > 0; reads--) {
            fleet.read(item.id(), first + reads);
        }
    }
}
