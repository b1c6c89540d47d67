package io.holdfast.launcher;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Something to try out: a restaurant's dishes of a day and the next. Made once; what is there already stays as it is. */
final class SamplePools {

    /** Whose dishes they are; its business day says which pools are wanted. */
    static final String MERCHANT = "noodle-bar";

    private static final int CREATED_BELOW = 300;

    private record Dish(String id, long total) {}

    private static final List<Dish> DISHES =
            List.of(new Dish("ramen", 20), new Dish("gyoza", 50), new Dish("chefs-table", 1));

    private SamplePools() {}

    /**
     * The pools that are there now.
     *
     * @param pool the one to try out first
     * @param remarks what is not as a new one would be, in sentences
     */
    record Ready(String pool, List<String> remarks) {
        Ready {
            remarks = List.copyOf(remarks);
        }
    }

    /** Total by pool id. */
    static Map<String, Long> of(LocalDate today) {
        Map<String, Long> pools = new LinkedHashMap<>();
        for (LocalDate day : new LocalDate[] {today, today.plusDays(1)}) {
            DISHES.forEach(dish -> pools.put(MERCHANT + ":" + dish.id() + ":" + day, dish.total()));
        }
        return pools;
    }

    /**
     * Makes those that are not there yet.
     *
     * @param today the merchant's business day, as the node tells it
     * @throws LaunchException if one can't be made
     */
    static Ready ensure(Api api, LocalDate today) {
        Map<String, Long> pools = of(today);
        List<String> remarks = new ArrayList<>();
        pools.forEach((pool, total) -> kept(api.get("/v1/pools/" + pool), pool, total)
                .ifPresentOrElse(remark -> remark.ifPresent(remarks::add), () -> make(api, pool, total)));
        return new Ready(pools.keySet().iterator().next(), remarks);
    }

    /** Empty if there is no such pool yet; else what is to be said of it, if anything. */
    private static Optional<Optional<String>> kept(Api.Answer found, String pool, long total) {
        if (found.status() == 404) {
            return Optional.empty();
        }
        if (found.status() != 200) {
            throw refused(pool, found);
        }
        long kept = found.number("/baseline/total");
        String status = found.text("/status");
        boolean asNew = kept == total && status.equals("OPEN");
        return Optional.of(
                asNew
                        ? Optional.empty()
                        : Optional.of("The sample pool " + pool + " is there already, " + status + " with a total of "
                                + kept + "; it stays as it is."));
    }

    private static void make(Api api, String pool, long total) {
        Api.Answer answer = api.put("/v1/pools/" + pool, Map.of("total", total));
        if (answer.status() >= CREATED_BELOW) {
            throw refused(pool, answer);
        }
    }

    private static LaunchException refused(String pool, Api.Answer answer) {
        return new LaunchException(
                "The node does not give the sample pool " + pool + " (" + answer.status() + " " + answer.text("/code")
                        + ": " + answer.text("/detail") + ") Start again, or begin anew in another --folder.");
    }
}
