package io.holdfast.chaos;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.chaos.Op.Kind;
import io.holdfast.chaos.Op.Told;
import io.holdfast.client.Call;
import io.holdfast.client.Result;
import io.holdfast.config.GateSection;
import io.holdfast.order.provider.PaymentNotices;
import io.holdfast.reservation.domain.SaleKeys;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** Buys at the gate of a sale: is let in or not, waits for the order, and pays, cancels, or does nothing more. */
final class SaleBuyer {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int KEY_VERSION = 1;
    private static final int ASKS = 20;
    private static final int PAUSE_MILLIS = 500;
    private static final Duration ASK = Duration.ofMillis(900);
    private static final Duration ORDERED_WITHIN = Duration.ofSeconds(30);
    private static final Duration NOTICE = Duration.ofSeconds(20);

    private final Fleet fleet;
    private final Shelf shelf;
    private final URI provider;
    private final RandomGenerator chance;
    private final String name;
    private final HttpClient http = HttpClient.newHttpClient();
    private final SaleKeys keys =
            new SaleKeys(Map.of(KEY_VERSION, HexFormat.of().parseHex(GateSection.OF_DEVELOPMENT.reveal())));
    private int requests;

    SaleBuyer(Fleet fleet, Shelf shelf, URI provider, RandomGenerator chance, String name) {
        this.fleet = fleet;
        this.shelf = shelf;
        this.provider = provider;
        this.chance = chance;
        this.name = name;
    }

    /** One purchase, from beginning to end. */
    void buy() throws InterruptedException {
        requests++;
        String sku = shelf.sku();
        String user = name + "-" + requests;
        String id = keys.reservation(KEY_VERSION, Shelf.ACTIVITY, sku, user, "q");
        Op admitted = admit(sku, user, id);
        if (admitted.told() == Told.REFUSED && admitted.code().startsWith("SOLD_OUT") && chance.nextInt(3) == 0) {
            shelf.nextSku(sku);
        }
        if (admitted.told() != Told.DONE || !ordered(id)) {
            return;
        }
        switch (chance.nextInt(4)) {
            case 0 -> {} // nobody pays: its time runs out
            case 1 -> fleet.post("/v1/orders/" + id + "/cancel", Map.of());
            case 2 -> pay(id, true);
            default -> pay(id, false);
        }
        fleet.read(id, chance.nextInt(fleet.nodes()));
    }

    private Op admit(String sku, String user, String id) throws InterruptedException {
        var about = new Fleet.About(Kind.ADMIT, id, Shelf.poolOfSku(sku), 1, "");
        Call call = Call.post(
                        "/v1/sales/" + Shelf.ACTIVITY + "/skus/" + sku + "/reservations",
                        Map.of("user_id", user, "request_id", "q"))
                .within(ASK);
        Op last = fleet.ask(about, call);
        for (int asked = 1; asked < ASKS && (last.told() == Told.UNKNOWN || last.told() == Told.NOT_TAKEN); asked++) {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            last = fleet.ask(about, call);
        }
        return last;
    }

    /** Waits for its order, for a while. */
    private boolean ordered(String id) throws InterruptedException {
        long deadline = System.nanoTime() + ORDERED_WITHIN.toNanos();
        while (System.nanoTime() < deadline) {
            if (fleet.get("/v1/orders/" + id) instanceof Result.Done(var _, JsonNode order, var _)) {
                String status = order.path("status").asText();
                if (status.equals("CREATED")) {
                    return true;
                }
                if (!status.equals("REQUESTED") && !status.equals("NONE")) {
                    return false;
                }
            }
            TimeUnit.MILLISECONDS.sleep(500);
        }
        return false;
    }

    /** Pays at the provider, which tells of it, or tells nobody. */
    private void pay(String id, boolean told) throws InterruptedException {
        try {
            JsonNode paid = JSON.readTree(http.send(
                            HttpRequest.newBuilder(URI.create(provider + "/orders/" + id + "/payments"))
                                    .POST(BodyPublishers.ofString("{\"payment_id\":\"pay-" + id.substring(0, 16)
                                            + "\",\"amount\":500,\"currency\":\"EUR\",\"outcome\":\""
                                            + (told && chance.nextInt(4) == 0 ? "DOUBLE" : "SUCCESS") + "\"}"))
                                    .build(),
                            BodyHandlers.ofString())
                    .body());
            if (told) {
                for (JsonNode payment : paid.path("payments")) {
                    tell(id, payment);
                }
            }
        } catch (IOException e) {
            throw new ChaosException("the payment provider does not answer: " + e, e);
        }
    }

    private void tell(String id, JsonNode payment) throws InterruptedException, JsonProcessingException {
        Map<String, Object> notice = new LinkedHashMap<>();
        notice.put("type", "payment.succeeded");
        notice.put("notice_id", "notice-" + payment.path("provider_transaction").asText());
        for (String field :
                new String[] {"order_id", "payment_id", "provider_transaction", "amount", "currency", "paid_at"}) {
            notice.put(
                    field,
                    payment.path(field).isNumber()
                            ? payment.path(field).asLong()
                            : payment.path(field).asText());
        }
        byte[] body = JSON.writeValueAsBytes(notice);
        String signature =
                PaymentNotices.sign(Stage.NOTICE_SECRET.getBytes(StandardCharsets.UTF_8), body, Instant.now());
        fleet.ask(
                new Fleet.About(Kind.PAY, id, "", 0, payment.path("payment_id").asText()),
                Call.post("/v1/payment-notices", notice)
                        .with(PaymentNotices.HEADER, signature)
                        .within(NOTICE));
    }
}
