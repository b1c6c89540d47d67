package io.holdfast.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Of an item of a sale nothing appears and nothing is lost: in the final stock, in Redis, in the journals, and between them. What a sale
 * does late it still does, so this waits for it.
 */
final class Conservation {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Site site;
    private final Client client;
    private final String activity;

    Conservation(Site site, Client client, String activity) {
        this.site = site;
        this.client = client;
        this.activity = activity;
    }

    /** Fails unless it comes to hold. */
    void holds(String sku) {
        await("conservation of " + sku)
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(300))
                .untilAsserted(() -> {
                    try (Connection database = site.database()) {
                        holds(database, sku);
                    }
                });
    }

    private void holds(Connection database, String sku) throws SQLException, IOException {
        String pool = activity + ":" + sku;
        Client.Answer seen = client.get("/v1/pools/" + pool);
        assertThat(seen.number("/sale/hand_off_backlog"))
                .as("waits for its reservation: %s", seen.body())
                .isZero();
        Journals.of(database, pool).agreeWith(seen);
        try (var question = database.prepareStatement("""
            select s.initial_stock - s.available_stock - s.occupied_stock - s.sold_stock as delta,
                   s.occupied_stock, s.sold_stock, s.version,
                   (select count(*) from order_ledger l where (l.activity, l.sku) = (s.activity, s.sku)) as changes,
                   (select coalesce(sum(l.occupied_delta), 0) from order_ledger l
                    where (l.activity, l.sku) = (s.activity, s.sku)) as occupied,
                   (select coalesce(sum(l.sold_delta), 0) from order_ledger l
                    where (l.activity, l.sku) = (s.activity, s.sku)) as sold,
                   (select coalesce(sum(quantity - refunded_quantity), 0) from orders o
                    where (o.activity, o.sku) = (s.activity, s.sku)
                      and o.status in ('CREATED', 'CANCEL_PENDING', 'PAID')) as ordered
            from sku_inventory s where s.activity = ? and s.sku = ?
            """)) {
            question.setString(1, activity);
            question.setString(2, sku);
            try (var row = question.executeQuery()) {
                assertThat(row.next()).as("final stock of %s", sku).isTrue();
                long taken = row.getLong("occupied_stock") + row.getLong("sold_stock");
                assertThat(row.getLong("delta")).as("out of nothing").isZero();
                assertThat(row.getLong("changes")).as("changes in the ledger").isEqualTo(row.getLong("version"));
                assertThat(row.getLong("occupied")).isEqualTo(row.getLong("occupied_stock"));
                assertThat(row.getLong("sold")).isEqualTo(row.getLong("sold_stock"));
                assertThat(row.getLong("ordered")).as("units of orders").isEqualTo(taken);
                assertThat(seen.number("/redis/books/reserved"))
                        .as("decided, all of them: %s", seen.body())
                        .isZero();
                assertThat(seen.number("/redis/books/sold"))
                        .as("sold in Redis, taken in the final stock: %s", seen.body())
                        .isEqualTo(taken);
            }
        }
    }
}
