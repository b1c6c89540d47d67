package io.holdfast.engine.machine;

import io.holdfast.engine.effect.Effect;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a state owes the outside world. Derived from the state alone, so there is no task table that could disagree with it.
 *
 * @param effects to be performed now, and again until their outcome is known; distinct operation ids
 * @param wakeAt when {@link Machine#wakeUp()} is due, if ever
 */
public record Owed<X extends Effect>(List<X> effects, Optional<Instant> wakeAt) {

    public Owed {
        effects = List.copyOf(effects);
    }

    /** Owes nothing: the entity rests. */
    public static <X extends Effect> Owed<X> nothing() {
        return new Owed<>(List.of(), Optional.empty());
    }

    /** Owes one effect. */
    public static <X extends Effect> Owed<X> effect(X effect) {
        return new Owed<>(List.of(effect), Optional.empty());
    }

    /** Owes nothing before this moment. */
    public static <X extends Effect> Owed<X> wakeAt(Instant at) {
        return new Owed<>(List.of(), Optional.of(at));
    }

    /** True when neither an effect nor a wake-up is owed. */
    public boolean isNothing() {
        return effects.isEmpty() && wakeAt.isEmpty();
    }
}
