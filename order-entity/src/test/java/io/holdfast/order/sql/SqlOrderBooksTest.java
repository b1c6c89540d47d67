package io.holdfast.order.sql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.config.sql.Migrations;
import io.holdfast.localstack.SharedStack;
import io.holdfast.order.conformance.OrderBooksConformance;
import io.holdfast.order.port.FinalStock;
import io.holdfast.order.port.FinalStock.Numbers;
import io.holdfast.order.port.OrderBooks;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;

/** The suite on real PostgreSQL. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SqlOrderBooksTest {

    private static final int CONNECTIONS = 8;

    private HikariDataSource database;
    private ExecutorService threads;

    @BeforeAll
    void open() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(SharedStack.freshDatabase("orders"));
        config.setUsername(SharedStack.postgres().user());
        config.setPassword(SharedStack.postgres().password());
        config.setMaximumPoolSize(CONNECTIONS);
        database = new HikariDataSource(config);
        new Migrations(database).migrate();
        threads = Executors.newFixedThreadPool(CONNECTIONS);
    }

    @AfterAll
    void close() {
        threads.close();
        database.close();
    }

    @Nested
    class On_postgresql extends OrderBooksConformance {

        private final OrderTables tables = new OrderTables(database);

        @Override
        protected OrderBooks books() {
            return new SqlOrderBooks(database, threads, "order-service");
        }

        @Override
        protected FinalStock stock() {
            return new SqlFinalStock(database, threads);
        }

        @Override
        protected String status(String orderId) {
            return tables.status(orderId);
        }

        @Override
        protected String payment(String paymentId) {
            return tables.payment(paymentId);
        }

        @Override
        protected List<Numbers> changes(String activity, String sku) {
            return tables.changes(activity, sku);
        }
    }
}
