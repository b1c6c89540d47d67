package io.holdfast.bench.load;

import java.util.List;

/**
 * When a load has warmed up: the mean rate of the latest windows is within a few percent of that of as many before them.
 *
 * @param windows how many are averaged, so that a collection or a checkpoint in one of them decides nothing
 * @param tolerance the share by which the two means may differ
 */
public record Stability(int windows, double tolerance) {

    /** Five windows, three percent. */
    public static final Stability USUAL = new Stability(5, 0.03);

    /** Whether these rates, oldest first, end in a stable stretch. */
    public boolean reached(List<Double> rates) {
        if (rates.size() < 2 * windows) {
            return false;
        }
        double before = mean(rates.subList(rates.size() - 2 * windows, rates.size() - windows));
        double latest = mean(rates.subList(rates.size() - windows, rates.size()));
        return before > 0 && Math.abs(latest - before) <= tolerance * before;
    }

    private static double mean(List<Double> rates) {
        return rates.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    }
}
