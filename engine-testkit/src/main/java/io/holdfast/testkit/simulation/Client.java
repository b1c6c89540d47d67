package io.holdfast.testkit.simulation;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Refusal;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A caller who repeats a request under the same cause until it is settled, as every caller must. A refusal that may be asked again is, unless
 * the caller takes it for an answer.
 */
public final class Client<S, C> {

    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final Duration RETRY_FROM = Duration.ofMillis(50);
    private static final Duration RETRY_TO = Duration.ofSeconds(4);
    private static final int GROWS_FOR = 6;

    private final World world;
    private final Entities<S, C> entities;
    private final Predicate<Refusal> takes;
    private final List<Told<S, C>> told = new ArrayList<>();
    private final Set<String> open = new HashSet<>();

    /**
     * A settled answer, as the client has it.
     *
     * @param entityId who answered
     * @param cause what was asked
     * @param command what was asked
     * @param reply the answer; its verdict is Done or Refused
     */
    public record Told<S, C>(String entityId, Cause cause, C command, Reply<S> reply) {}

    /** A client of one machine's entities. */
    public Client(World world, Entities<S, C> entities) {
        this(world, entities, _ -> false);
    }

    /**
     * A client of one machine's entities.
     *
     * @param takes refusals that are an answer to this one although they may be asked again
     */
    public Client(World world, Entities<S, C> entities, Predicate<Refusal> takes) {
        this.world = world;
        this.entities = entities;
        this.takes = takes;
    }

    /** Asks until a settled answer comes. */
    public void ask(String entityId, Cause cause, C command) {
        ask(entityId, cause, command, _ -> {});
    }

    /** Asks until a settled answer comes, then goes on. */
    public void ask(String entityId, Cause cause, C command, Consumer<Reply<S>> then) {
        open.add(cause.id());
        attempt(entityId, cause, command, then, 1);
    }

    private void attempt(String entityId, Cause cause, C command, Consumer<Reply<S>> then, int number) {
        entities.ask(entityId, cause, command, PATIENCE).whenComplete((outcome, failure) -> {
            if (failure != null) {
                throw new AssertionError("asking must not fail exceptionally", failure);
            }
            Optional<Reply<S>> settled = settled(outcome);
            if (settled.isPresent()) {
                told.add(new Told<>(entityId, cause, command, settled.get()));
                open.remove(cause.id());
                then.accept(settled.get());
            } else {
                world.timeline()
                        .after(
                                world.chance().between(RETRY_FROM, RETRY_TO.multipliedBy(Math.min(number, GROWS_FOR))),
                                () -> "client asks again: " + cause.id(),
                                () -> attempt(entityId, cause, command, then, number + 1));
            }
        });
    }

    private Optional<Reply<S>> settled(Outcome<Reply<S>> outcome) {
        return switch (outcome) {
            case Outcome.Known<Reply<S>>(Reply<S> reply) ->
                switch (reply.verdict()) {
                    case Verdict.Pending() -> Optional.empty();
                    case Verdict.Done() -> Optional.of(reply);
                    case Verdict.Refused(Refusal reason)
                    when reason.retryable() && !takes.test(reason) -> Optional.empty();
                    case Verdict.Refused _ -> Optional.of(reply);
                };
            case Outcome.Unknown<Reply<S>> _, Outcome.Unavailable<Reply<S>> _ -> Optional.empty();
        };
    }

    /** Every settled answer so far, in order of arrival. */
    public List<Told<S, C>> told() {
        return List.copyOf(told);
    }

    /** Causes that have no settled answer yet. */
    public Set<String> open() {
        return Set.copyOf(open);
    }
}
