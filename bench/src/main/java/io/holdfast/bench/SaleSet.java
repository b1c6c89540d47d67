package io.holdfast.bench;

import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.entity.AdmissionDesk.Wish;
import java.util.List;
import java.util.stream.IntStream;

/** Items of a sale that a load spreads its requests over, by their numbers; each load has a set of its own. */
public final class SaleSet {

    private static final String ACTIVITY = "bench";

    private final String prefix;
    private final List<String> skus;
    private final List<PoolId> pools;

    /** So many items, whose names begin with these letters. */
    public SaleSet(String prefix, int count) {
        this.prefix = prefix;
        this.skus = IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
        this.pools = skus.stream().map(sku -> new PoolId(ACTIVITY + ":" + sku)).toList();
    }

    /** The letters that tell it from others. */
    public String prefix() {
        return prefix;
    }

    /** The pools of the items. */
    public List<PoolId> pools() {
        return pools;
    }

    /** The request of this number: one unit for a user of its own. */
    public Wish wish(long number) {
        return new Wish(ACTIVITY, skus.get(place(number)), user(number), "r", 1);
    }

    /** Whose request it is. */
    static String user(long number) {
        return "u" + number;
    }

    /** Where it is asked for over HTTP. */
    public String path(long number) {
        return "/v1/sales/" + ACTIVITY + "/skus/" + skus.get(place(number)) + "/reservations";
    }

    /** What is asked for over HTTP, as JSON. */
    public String body(long number) {
        return "{\"user_id\":\"" + user(number) + "\",\"request_id\":\"r\",\"quantity\":1}";
    }

    /** How many of the requests 0 to {@code begun - 1} are for the item of this place. */
    public long share(int place, long begun) {
        return begun / skus.size() + (place < begun % skus.size() ? 1 : 0);
    }

    private int place(long number) {
        return (int) (number % skus.size());
    }
}
