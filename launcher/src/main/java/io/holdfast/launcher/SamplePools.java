package io.holdfast.launcher;

import java.time.LocalDate;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Something to try out: a restaurant's dishes of today and tomorrow. Made once; a restart finds them and what was sold of them. */
final class SamplePools {

    private record Dish(String id, long total) {}

    private static final List<Dish> DISHES = List.of(
            new Dish("noodle-bar:ramen", 20), new Dish("noodle-bar:gyoza", 50), new Dish("noodle-bar:chefs-table", 1));

    private SamplePools() {}

    /** Total by pool id. */
    static Map<String, Long> of(LocalDate today) {
        Map<String, Long> pools = new LinkedHashMap<>();
        for (LocalDate day : new LocalDate[] {today, today.plusDays(1)}) {
            DISHES.forEach(dish -> pools.put(dish.id() + ":" + day, dish.total()));
        }
        return pools;
    }

    /** Makes those that are not there yet, and returns the first. */
    static String ensure(Api api) {
        Map<String, Long> pools = of(LocalDate.now(ZoneId.systemDefault()));
        pools.forEach((pool, total) -> {
            Api.Answer answer = api.put("/v1/pools/" + pool, Map.of("total", total));
            if (answer.status() >= 300) {
                throw new LaunchException("The sample pool " + pool + " was not made: " + answer.body());
            }
        });
        return pools.keySet().iterator().next();
    }
}
