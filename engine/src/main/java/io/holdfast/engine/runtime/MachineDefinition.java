package io.holdfast.engine.runtime;

import io.holdfast.engine.effect.Effect;
import io.holdfast.engine.journal.JournalCodec;
import io.holdfast.engine.journal.JsonCodec;
import io.holdfast.engine.machine.EngineRefusal;
import io.holdfast.engine.machine.Machine;
import io.holdfast.engine.machine.Refusal;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the runtime needs to run a machine: the machine, what performs its effects, and how its values are written.
 *
 * @param machine the pure functions
 * @param performer performs one attempt of an effect
 * @param journal entries as JSON
 * @param states states as JSON, for answers between nodes
 * @param commands commands as JSON, for requests between nodes
 * @param refusals every reason an answer may give, by code; the engine's own are added
 */
public record MachineDefinition<S, C, E, X extends Effect>(
        Machine<S, C, E, X> machine,
        EffectPerformer<X, C> performer,
        JournalCodec<E> journal,
        JsonCodec<S> states,
        JsonCodec<C> commands,
        Map<String, Refusal> refusals) {

    public MachineDefinition {
        Map<String, Refusal> all = new LinkedHashMap<>();
        for (Refusal own : EngineRefusal.values()) {
            all.put(own.code(), own);
        }
        refusals.forEach((code, refusal) -> {
            Refusal other = all.put(code, refusal);
            if (other != null && !other.equals(refusal)) {
                throw new IllegalArgumentException(machine.name() + ": the refusal " + code + " belongs to the engine");
            }
        });
        refusals = Map.copyOf(all);
    }

    /**
     * The usual definition: everything written as its types say, events at their first schema version.
     *
     * @param refusals the machine's enum of refusals
     */
    public static <S, C, E, X extends Effect, R extends Enum<R> & Refusal> MachineDefinition<S, C, E, X> of(
            Machine<S, C, E, X> machine,
            EffectPerformer<X, C> performer,
            Class<S> states,
            Class<C> commands,
            Class<E> events,
            Class<R> refusals) {
        return new MachineDefinition<>(
                machine,
                performer,
                JournalCodec.of(events),
                JsonCodec.of(states),
                JsonCodec.of(commands),
                byCode(refusals));
    }

    /** The constants of an enum of refusals by their codes. */
    public static <R extends Enum<R> & Refusal> Map<String, Refusal> byCode(Class<R> refusals) {
        Map<String, Refusal> codes = new LinkedHashMap<>();
        for (R refusal : refusals.getEnumConstants()) {
            codes.put(refusal.code(), refusal);
        }
        return codes;
    }
}
