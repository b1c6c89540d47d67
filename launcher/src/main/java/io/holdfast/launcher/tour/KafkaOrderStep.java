package io.holdfast.launcher.tour;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/** An instant order: held over HTTP, confirmed by an event, and told to whoever keeps stock elsewhere. */
final class KafkaOrderStep implements Step {

    private static final String DISH = "edamame";
    private static final String ITEM = "item-kafka";

    @Override
    public String title() {
        return "An instant order over Kafka: held by HTTP, confirmed by an event, twice";
    }

    @Override
    public boolean needsKafka() {
        return true;
    }

    @Override
    public void walk(Stage stage) throws Exception {
        stage.create(DISH, 10);
        stage.hold(DISH, ITEM, 2);
        String id = Stage.idOf(DISH, ITEM);
        for (int copy = 0; copy < 2; copy++) {
            stage.orderCreated("evt-1", Stage.MERCHANT, DISH, ITEM, 2);
        }
        var confirmed = stage.becomes(id, "CONFIRMED");
        Optional<JsonNode> told = stage.broker().told(Broker.STOCK, "InventoryRedisConfirmed", id);
        var pool = stage.look(DISH);
        var report = stage.report();
        told.ifPresent(message -> report.saw("from " + Broker.STOCK + ": " + message));
        report.check("the event confirms the hold", confirmed.text("/status").equals("CONFIRMED"));
        report.check("2 units are sold, once", Numbers.of(pool).equals(new Numbers(8, 0, 2)));
        report.check(
                "the stock change is told with what moved and the numbers after",
                told.filter(message -> message.at("/sold_delta").asLong() == 2
                                && message.at("/after/sold").asLong() == 2
                                && message.at("/after/available").asLong() == 8)
                        .isPresent());
    }
}
