package io.holdfast.http.route;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.EngineRefusal;
import io.holdfast.engine.machine.Refusal;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.http.problem.Problem;
import io.holdfast.http.problem.ProblemCode;
import io.holdfast.http.problem.Refusals;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the entities of one machine, and turns what they answer into responses. Settled is 200 or 201, accepted is 202 with the address to
 * read, refused is the refusal's problem; no answer is 503 with that address too, since it may have been recorded.
 *
 * @param <S> state of the machine
 * @param <C> commands of the machine
 */
final class EntityAnswers<S, C> {

    private static final Logger LOG = LoggerFactory.getLogger(EntityAnswers.class);

    private final Entities<S, C> entities;
    private final Shape<S> shape;
    private final HttpSettings.Patience patience;

    EntityAnswers(Entities<S, C> entities, Shape<S> shape, HttpSettings.Patience patience) {
        this.entities = entities;
        this.shape = shape;
        this.patience = patience;
    }

    /** How the entities of a machine look from outside. */
    interface Shape<S> {

        /** Name of the member that holds the id in problems. */
        String idMember();

        /** Name of the member that holds the address in problems. */
        String linkMember();

        /** Where an entity is read. */
        String path(String entityId);

        /** The wire record of what it answered. */
        Object view(Reply<S> reply);

        /** Its status as shown. */
        String status(S state);

        /** Whether this refusal is how the entity ended, and is kept: then {@code recorded} says so. */
        boolean recorded(S state, Refusal reason);

        /** Why it was refused, one sentence or two for a person. */
        default String detail(S state, Refusal reason) {
            return reason.explanation();
        }

        /** Further members of the problem it is refused with, by name. */
        default Map<String, Object> members(S state, Refusal reason) {
            return Map.of();
        }

        /** Tag of what a change may be based on, for {@code ETag}; empty where nothing is. */
        default Optional<String> tag(S state) {
            return Optional.empty();
        }

        /** What is answered where nothing was ever recorded under an id. */
        ProblemCode absent();

        /** Whether the id itself says whose it is, so that it was looked at before anything is asked. */
        default boolean idSaysWhose() {
            return false;
        }

        /** Whose it is; empty where that is not known, as before it was asked for. */
        Optional<Owner> owner(S state);
    }

    /** How an accepted command is answered. */
    enum Success {
        OK(200, 200),
        /** A repeat is answered as the first one was. */
        CREATED(201, 201),
        /** Of something that is put: 201 only where this made it. */
        PUT(201, 200);

        private final int first;
        private final int repeated;

        Success(int first, int repeated) {
            this.first = first;
            this.repeated = repeated;
        }

        private int status(boolean repeat) {
            return repeat ? repeated : first;
        }
    }

    /** Gives a command, waits as long as the caller does, and answers. What is not the caller's is as if it were not there. */
    CompletionStage<HttpResponse> give(Exchange exchange, String entityId, Cause cause, C command, Success success) {
        return ifOpen(exchange, entityId, () -> tell(exchange, entityId, cause, command, success));
    }

    /** The same of an entity that is known to be the caller's. */
    CompletionStage<HttpResponse> tell(Exchange exchange, String entityId, Cause cause, C command, Success success) {
        return bounded(
                        entities.ask(entityId, cause, command, exchange.patience()),
                        exchange.patience(),
                        Function.identity())
                .thenApply(outcome -> answered(exchange, entityId, outcome, success));
    }

    /** The entity as it stands; Unknown when no answer comes in time. */
    CompletionStage<Outcome<Reply<S>>> look(String entityId) {
        return bounded(entities.look(entityId), Duration.ZERO, Function.identity());
    }

    /** Goes on where the entity is the caller's; else answers as where there is none. */
    CompletionStage<HttpResponse> ifOpen(
            Exchange exchange, String entityId, Supplier<CompletionStage<HttpResponse>> onward) {
        if (!exchange.limited() || shape.idSaysWhose()) {
            return onward.get();
        }
        return look(entityId).thenCompose(outcome -> switch (outcome) {
            case Outcome.Known<Reply<S>>(Reply<S> reply) ->
                reply.entityId().equals(entityId) && isOpen(exchange, reply.state())
                        ? onward.get()
                        : CompletableFuture.completedFuture(hidden(exchange, entityId));
            case Outcome.Unknown<Reply<S>>(String why) ->
                CompletableFuture.completedFuture(unavailable(exchange, entityId, why));
            case Outcome.Unavailable<Reply<S>>(String why) ->
                CompletableFuture.completedFuture(unavailable(exchange, entityId, why));
        });
    }

    /** Whether it is known to be the caller's. */
    boolean isOpen(Exchange exchange, S state) {
        return !exchange.limited()
                || shape.idSaysWhose()
                || shape.owner(state).filter(owner -> owner.isOpenTo(exchange)).isPresent();
    }

    /** The answer where something may be there and is not the caller's: that of where there is nothing. */
    HttpResponse hidden(Exchange exchange, String entityId) {
        exchange.noteHidden();
        return Answers.problem(absent(exchange, entityId));
    }

    /** Goes on where there is such an entity; else answers as a read does. */
    CompletionStage<HttpResponse> whereThere(
            Exchange exchange, String entityId, Supplier<CompletionStage<HttpResponse>> onward) {
        return look(entityId).thenCompose(outcome -> switch (outcome) {
            case Outcome.Known<Reply<S>>(Reply<S> reply)
            when isThere(reply, entityId) && isOpen(exchange, reply.state()) -> onward.get();
            case Outcome.Known<Reply<S>> _, Outcome.Unknown<Reply<S>> _, Outcome.Unavailable<Reply<S>> _ ->
                CompletableFuture.completedFuture(read(exchange, entityId, outcome));
        });
    }

    private static boolean isThere(Reply<?> reply, String entityId) {
        return !(reply.verdict() instanceof Verdict.Refused)
                && reply.entityId().equals(entityId)
                && reply.sequenceNumber() > 0;
    }

    /** Answers a read. Nothing was changed by it, whatever came. */
    HttpResponse read(Exchange exchange, String entityId, Outcome<Reply<S>> outcome) {
        return read(exchange, entityId, outcome, shape::view);
    }

    /** Answers a read with another wire record. */
    HttpResponse read(Exchange exchange, String entityId, Outcome<Reply<S>> outcome, Function<Reply<S>, Object> view) {
        return switch (outcome) {
            case Outcome.Known<Reply<S>>(Reply<S> reply)
            when reply.sequenceNumber() > 0 && !isOpen(exchange, reply.state()) -> hidden(exchange, entityId);
            case Outcome.Known<Reply<S>>(Reply<S> reply) ->
                switch (reply.verdict()) {
                    case Verdict.Refused(Refusal reason) -> refused(exchange, entityId, reply, reason);
                    case Verdict.Done(), Verdict.Pending() -> {
                        if (!reply.entityId().equals(entityId)) {
                            yield refused(exchange, entityId, reply, EngineRefusal.WRONG_ENTITY);
                        }
                        yield reply.sequenceNumber() == 0
                                ? Answers.problem(absent(exchange, entityId))
                                : tagged(Answers.json(200, view.apply(reply)), reply.state());
                    }
                };
            case Outcome.Unknown<Reply<S>>(String why) -> unavailable(exchange, entityId, why);
            case Outcome.Unavailable<Reply<S>>(String why) -> unavailable(exchange, entityId, why);
        };
    }

    /** What a command would come to. */
    sealed interface Judgement {
        /** @param status of the answer */
        record Would(int status) implements Judgement {}

        /** It would be refused. */
        record WouldRefuse(Refusal reason) implements Judgement {}
    }

    /** Answers what a command would come to in the state that was found; nothing was changed. */
    HttpResponse judged(Exchange exchange, String entityId, Outcome<Reply<S>> outcome, Function<S, Judgement> judging) {
        return switch (outcome) {
            case Outcome.Known<Reply<S>>(Reply<S> reply) ->
                switch (reply.verdict()) {
                    case Verdict.Refused(Refusal reason) -> refused(exchange, entityId, reply, reason);
                    case Verdict.Done(), Verdict.Pending() ->
                        switch (judging.apply(reply.state())) {
                            case Judgement.Would(int status) -> Answers.json(status, Map.of());
                            case Judgement.WouldRefuse(Refusal reason) -> refused(exchange, entityId, reply, reason);
                        };
                };
            case Outcome.Unknown<Reply<S>>(String why) -> unavailable(exchange, entityId, why);
            case Outcome.Unavailable<Reply<S>>(String why) -> unavailable(exchange, entityId, why);
        };
    }

    /** The answer to whatever concerns an entity that was never heard of. */
    Problem absent(Exchange exchange, String entityId) {
        return addressed(Problem.of(shape.absent(), shape.absent().title() + ".", exchange.path()), entityId);
    }

    /** Nothing was changed, and this node can't do better now. */
    HttpResponse unavailable(Exchange exchange, String entityId, String why) {
        LOG.debug("{} {} not reached, trace {}: {}", shape.idMember(), entityId, exchange.traceId(), why);
        Problem problem = addressed(
                EngineRefusal.JOURNAL_UNREADABLE.isReasonOf(why)
                        ? Problem.of(
                                ProblemCode.JOURNAL_UNREADABLE,
                                EngineRefusal.JOURNAL_UNREADABLE.explanation() + " Nothing was changed.",
                                exchange.path())
                        : Problem.of(
                                ProblemCode.UNAVAILABLE,
                                "The request was not taken; nothing was changed.",
                                exchange.path()),
                entityId);
        return Answers.problem(problem, patience.retryAfter());
    }

    /** Answers a command with what became of it. */
    HttpResponse answered(Exchange exchange, String entityId, Outcome<Reply<S>> outcome, Success success) {
        HttpResponse response = switch (outcome) {
            case Outcome.Known<Reply<S>>(Reply<S> reply) -> known(exchange, entityId, reply, success);
            case Outcome.Unknown<Reply<S>>(String why) -> unknown(exchange, entityId, why);
            case Outcome.Unavailable<Reply<S>>(String why) -> unavailable(exchange, entityId, why);
        };
        return exchange.preferences().noted(response);
    }

    private HttpResponse known(Exchange exchange, String entityId, Reply<S> reply, Success success) {
        if (!reply.entityId().equals(entityId)) {
            // Somebody else's answer must never be taken for this one's.
            return unknown(exchange, entityId, "answered by " + reply.entityId());
        }
        HttpResponse response = switch (reply.verdict()) {
            case Verdict.Done() -> {
                int status = success.status(reply.repeated());
                HttpResponse done = tagged(Answers.json(status, shape.view(reply)), reply.state());
                yield status == 201 ? Answers.withHeader(done, "Location", shape.path(entityId)) : done;
            }
            case Verdict.Pending() ->
                Answers.withHeader(
                        Answers.withHeader(Answers.json(202, shape.view(reply)), "Location", shape.path(entityId)),
                        "Retry-After",
                        Long.toString(patience.retryAfter().toSeconds()));
            case Verdict.Refused(Refusal reason) -> refused(exchange, entityId, reply, reason);
        };
        return reply.repeated() ? Answers.withHeader(response, "Idempotency-Replayed", "true") : response;
    }

    private HttpResponse tagged(HttpResponse response, S state) {
        return shape.tag(state)
                .map(tag -> Answers.withHeader(response, "ETag", tag))
                .orElse(response);
    }

    private HttpResponse refused(Exchange exchange, String entityId, Reply<S> reply, Refusal reason) {
        ProblemCode code = exchange.asConditional(Refusals.code(reason));
        Problem problem = addressed(Problem.of(code, shape.detail(reply.state(), reason), exchange.path()), entityId)
                .with("status_now", shape.status(reply.state()))
                .with("retryable", reason.retryable());
        if (shape.recorded(reply.state(), reason)) {
            problem = problem.with("recorded", true);
        }
        for (Map.Entry<String, Object> member :
                shape.members(reply.state(), reason).entrySet()) {
            problem = problem.with(member.getKey(), member.getValue());
        }
        return code.status() == 503 ? Answers.problem(problem, patience.retryAfter()) : Answers.problem(problem);
    }

    private HttpResponse unknown(Exchange exchange, String entityId, String why) {
        LOG.debug("{} {} did not answer, trace {}: {}", shape.idMember(), entityId, exchange.traceId(), why);
        Problem problem = addressed(
                Problem.of(
                        ProblemCode.OUTCOME_UNKNOWN,
                        "No answer came. The request may have been recorded; ask again with the same key, or read the"
                                + " address given.",
                        exchange.path()),
                entityId);
        return Answers.withHeader(Answers.problem(problem, patience.retryAfter()), "Location", shape.path(entityId));
    }

    private Problem addressed(Problem problem, String entityId) {
        return problem.with(shape.idMember(), entityId).with(shape.linkMember(), shape.path(entityId));
    }

    /**
     * The answer, or that there is none: always in time, and never a failure.
     *
     * @param waits how long the caller waits
     * @param unanswered what an outcome that is not known is as an answer
     */
    <T> CompletionStage<T> bounded(
            CompletionStage<T> answer, Duration waits, Function<Outcome<Reply<S>>, T> unanswered) {
        Duration longest = waits.plus(patience.grace());
        return answer.toCompletableFuture()
                .copy()
                .completeOnTimeout(
                        unanswered.apply(Outcome.unknown("no answer within " + longest.toMillis() + " ms")),
                        longest.toMillis(),
                        TimeUnit.MILLISECONDS)
                .exceptionally(fault -> {
                    LOG.warn("asking for an entity failed; the outcome counts as unknown", fault);
                    return unanswered.apply(Outcome.unknown("asking failed"));
                });
    }
}
