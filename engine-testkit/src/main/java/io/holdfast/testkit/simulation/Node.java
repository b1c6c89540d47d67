package io.holdfast.testkit.simulation;

import io.holdfast.engine.entity.Moment;
import java.time.Duration;

/** One process of the fleet: it can be up or down, and its wall clock may be wrong. Its monotonic clock is not. */
final class Node {

    private final String name;
    private final Timeline timeline;
    private Duration clockError = Duration.ZERO;
    private boolean up = true;

    Node(String name, Timeline timeline) {
        this.name = name;
        this.timeline = timeline;
    }

    String name() {
        return name;
    }

    boolean isUp() {
        return up;
    }

    void down() {
        up = false;
    }

    void up() {
        up = true;
    }

    void clockError(Duration error) {
        clockError = error;
    }

    Moment moment() {
        return new Moment(
                timeline.now().plus(clockError),
                Duration.between(World.START, timeline.now()).toMillis());
    }
}
