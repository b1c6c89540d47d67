package io.holdfast.node;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.config.OrderServiceSection;
import io.holdfast.config.Secret;
import io.holdfast.config.Settings;
import io.holdfast.order.entity.FinalSaleStock;
import io.holdfast.order.port.FinalStock;
import io.holdfast.order.provider.HttpPaymentProvider;
import io.holdfast.order.provider.PaymentNotices;
import io.holdfast.order.sandbox.Sandbox;
import io.holdfast.order.sql.SqlFinalStock;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What orders need to reach their books and the payment provider. Opened before this node joins its cluster, as {@link StoreClients}.
 *
 * @param database connections that decide
 * @param threads as many
 * @param provider who takes the money
 * @param notices reads what the provider sends by itself
 * @param sandbox the provider itself, where it is only played
 */
record OrderClients(
        HikariDataSource database,
        ExecutorService threads,
        HttpPaymentProvider provider,
        PaymentNotices notices,
        Optional<Sandbox> sandbox) {

    private static final Logger LOG = LoggerFactory.getLogger(OrderClients.class);

    /** Transactions that wait for a thread, for each thread. More are tried again later. */
    private static final int WAITING = 64;

    /** The final stock, as the pools of sales keep it. */
    FinalSaleStock sales() {
        return new FinalSaleStock(stock());
    }

    /** The final stock that orders are made of. */
    FinalStock stock() {
        return new SqlFinalStock(database, threads);
    }

    /** Empty where another system makes the orders. */
    static Optional<OrderClients> open(Settings settings, InstantSource clock, Closing closing) {
        OrderServiceSection section = settings.orders().service();
        if (!section.builtIn()) {
            return Optional.empty();
        }
        var database = closing.add("the connections of orders", Sessions.orders(settings.postgres(), section));
        var threads = new ThreadPoolExecutor(
                section.transactions(),
                section.transactions(),
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(section.transactions() * WAITING),
                Thread.ofPlatform().daemon().name("holdfast-orders-", 0).factory());
        closing.add("the threads of orders", threads::shutdownNow);
        Optional<Sandbox> sandbox = sandbox(section, clock, closing);
        OrderServiceSection.Payments payments = section.payments();
        URI base = sandbox.map(Sandbox::address).or(payments::url).orElseThrow();
        var provider = closing.add(
                "the questions to the payment provider",
                new HttpPaymentProvider(
                        payments.name(), base, token(payments), payments.timeout(), payments.together()));
        List<byte[]> secrets = sandbox.map(one -> List.of(one.secret()))
                .orElseGet(() -> payments.noticeSecrets().stream()
                        .map(Secret::reveal)
                        .map(secret -> secret.getBytes(StandardCharsets.UTF_8))
                        .toList());
        var notices = new PaymentNotices(payments.name(), secrets, payments.noticeTolerance());
        return Optional.of(new OrderClients(database, threads, provider, notices, sandbox));
    }

    private static Optional<String> token(OrderServiceSection.Payments payments) {
        return payments.token().isEmpty()
                ? Optional.empty()
                : Optional.of(payments.token().reveal());
    }

    private static Optional<Sandbox> sandbox(OrderServiceSection section, InstantSource clock, Closing closing) {
        if (!section.sandboxed()) {
            return Optional.empty();
        }
        try {
            var sandbox = closing.add(
                    "the payment sandbox",
                    Sandbox.start(section.payments().name(), section.payments().sandboxPort(), clock));
            LOG.warn("Payments are only played: nobody pays at {}.", sandbox.address());
            return Optional.of(sandbox);
        } catch (IOException e) {
            throw new StartException(
                    "The payment sandbox can't listen on port "
                            + section.payments().sandboxPort() + ": " + e.getMessage(),
                    e);
        }
    }
}
