package io.holdfast.bench;

import java.util.Map;

/** What was measured of each of those that took turns. */
public record MeasuredAll(Map<Contender, Measured> each) {

    public MeasuredAll {
        each = Map.copyOf(each);
    }

    /** Of one that took turns. */
    public Measured of(Contender contender) {
        Measured measured = each.get(contender);
        if (measured == null) {
            throw new IllegalArgumentException(contender.name() + " took no turns");
        }
        return measured;
    }
}
