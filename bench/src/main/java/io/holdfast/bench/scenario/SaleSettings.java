package io.holdfast.bench.scenario;

import java.time.Duration;
import java.util.Map;

/** Settings under which gates of sales are measured. */
final class SaleSettings {

    static final Duration PATIENCE = Duration.ofMinutes(5);

    private SaleSettings() {}

    /** With Kafka, which orders are asked of, and with gates that nothing behind them holds back: what is put off is charged to the turn. */
    static Map<String, String> admitting(String broker) {
        return Map.of(
                "HOLDFAST_KAFKA_ENABLED", "true",
                "HOLDFAST_KAFKA_BOOTSTRAP_SERVERS", broker,
                "HOLDFAST_KAFKA_PROTOCOL", "plaintext",
                "HOLDFAST_GATE_ADOPTING", "100000",
                "HOLDFAST_GATE_LIMITS_LISTED", "10000000",
                "HOLDFAST_GATE_LIMITS_UNSENT", "10000000",
                "HOLDFAST_GATE_LIMITS_VIEW_LAG", "1h");
    }
}
