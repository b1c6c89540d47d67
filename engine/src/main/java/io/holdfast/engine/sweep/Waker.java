package io.holdfast.engine.sweep;

/** Reaches an entity, wherever it lives or should live, and has it look at what it owes. Must not block and needs no answer. */
@FunctionalInterface
public interface Waker {

    /**
     * An entity that is awake and working already takes this as nothing new.
     *
     * @param machine name of the machine; may be one this node does not know
     * @param entityId id within the machine
     */
    void wake(String machine, String entityId);
}
