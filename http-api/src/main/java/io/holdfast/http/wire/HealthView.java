package io.holdfast.http.wire;

import io.holdfast.http.health.Health;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Whether this node can serve.
 *
 * @param status UP, DEGRADED (it serves, and something waits), or DOWN
 * @param checks how each part it needs stands
 */
public record HealthView(String status, Map<String, Part> checks) {

    /** How one part stands, and why where it is down. */
    public record Part(String status, Optional<String> why) {}

    /** Whether it serves. */
    public boolean serves() {
        return !status.equals("DOWN");
    }

    /** The wire form. */
    public static HealthView of(Map<String, Health> health) {
        Map<String, Part> parts = new LinkedHashMap<>();
        boolean up = true;
        boolean whole = true;
        for (var entry : health.entrySet()) {
            switch (entry.getValue()) {
                case Health.Up() -> parts.put(entry.getKey(), new Part("UP", Optional.empty()));
                case Health.Degraded(String why) -> {
                    parts.put(entry.getKey(), new Part("DEGRADED", Optional.of(why)));
                    whole = false;
                }
                case Health.Down(String why) -> {
                    parts.put(entry.getKey(), new Part("DOWN", Optional.of(why)));
                    up = false;
                }
            }
        }
        return new HealthView(up ? (whole ? "UP" : "DEGRADED") : "DOWN", parts);
    }
}
