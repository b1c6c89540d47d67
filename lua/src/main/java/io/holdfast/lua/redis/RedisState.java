package io.holdfast.lua.redis;

/** Whether Redis can be used, for the start and for health. */
public sealed interface RedisState {

    /** Every node that serves pools is connected and checked. */
    record Usable() implements RedisState {}

    /**
     * It answers, and must not be used as it is set up. Trying again does not help; somebody has to act.
     *
     * @param remedy one line: what is wrong and what to do
     */
    record Unsuitable(String remedy) implements RedisState {}

    /** It is not reached, loads its data, or is a replica: may pass by itself. */
    record Unreachable(String why) implements RedisState {}
}
