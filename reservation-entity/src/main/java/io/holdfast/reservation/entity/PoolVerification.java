package io.holdfast.reservation.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.projection.Passage;
import io.holdfast.engine.projection.ProjectionProgress;
import io.holdfast.lua.GuardRefusal;
import io.holdfast.lua.LookReply;
import io.holdfast.lua.LookRequest;
import io.holdfast.lua.PoolStatus;
import io.holdfast.lua.PoolStatusReply;
import io.holdfast.lua.PoolStatusRequest;
import io.holdfast.lua.PoolVerifyReply;
import io.holdfast.lua.PoolVerifyRequest;
import io.holdfast.lua.StockScripts;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.DifferenceReport;
import io.holdfast.reservation.domain.DifferenceReport.Difference;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.PoolOperation;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.Reservation.Canceled;
import io.holdfast.reservation.domain.Reservation.Canceling;
import io.holdfast.reservation.domain.Reservation.Confirmed;
import io.holdfast.reservation.domain.Reservation.Confirming;
import io.holdfast.reservation.domain.Reservation.CreatedReserved;
import io.holdfast.reservation.domain.Reservation.None;
import io.holdfast.reservation.domain.Reservation.Preparing;
import io.holdfast.reservation.domain.Reservation.Refunded;
import io.holdfast.reservation.domain.Reservation.Refunding;
import io.holdfast.reservation.domain.Reservation.Rejected;
import io.holdfast.reservation.domain.Reservation.Reserved;
import io.holdfast.reservation.domain.ReservationMachine;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPool.Trusted;
import io.holdfast.reservation.domain.StockPoolCommand.Finding;
import io.holdfast.reservation.domain.StockPoolEffect.SetPoolStatus.Target;
import io.holdfast.reservation.domain.StockPoolEffect.VerifyPool;
import io.holdfast.reservation.port.PoolReservations;
import io.holdfast.reservation.port.VerificationNotice;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Compares a pool in Redis with the journals, in this order:
 *
 * <ol>
 *   <li>Freeze the pool in Redis. From here on no script moves it, so what the journals do not know yet can't happen any more.
 *   <li>Take the journal's position and wait until the view has passed it: every operation that may have moved the pool is now in the
 *       view, at least as an intent.
 *   <li>Compare every reservation of the pool with its fence, page by page, and add up what the fences hold and have sold. One that owes an
 *       operation is told of the comparison first, and records nothing that Redis answered before: what Redis does not show of it is then
 *       not done, whatever a process that is gone may have answered.
 *   <li>The total is the pool's own journal's; deficit and available follow. Redis compares its numbers with these and opens the pool
 *       under the process that answers, in one script.
 * </ol>
 *
 * <p>Nothing of it is kept between attempts: a repeat starts over.
 */
final class PoolVerification {

    private static final int PAGE = 500;
    private static final int LOOKS_AT_ONCE = 32;
    private static final String NO_RESERVATION = "none";

    private final StockScripts scripts;
    private final PoolReservations reservations;
    private final VerificationNotice notice;
    private final ProjectionProgress view;
    private final Duration viewPatience;
    private final InstantSource clock;

    /** @param viewPatience how long the view may take to catch up before the attempt counts as failed */
    PoolVerification(
            StockScripts scripts,
            PoolReservations reservations,
            VerificationNotice notice,
            ProjectionProgress view,
            Duration viewPatience,
            InstantSource clock) {
        this.scripts = scripts;
        this.reservations = reservations;
        this.notice = notice;
        this.view = view;
        this.viewPatience = viewPatience;
        this.clock = clock;
    }

    CompletionStage<Outcome<Finding>> verify(VerifyPool effect) {
        return Outcomes.then(freeze(effect), frozen -> switch (frozen) {
            case Frozen.Yes(boolean repeated) ->
                Outcomes.then(look(effect.pool()), seen -> compare(effect, repeated, seen));
            case Frozen.NotThere() ->
                switch (effect.kept()) {
                    case StockPool.Initializing _ -> Outcomes.done(Outcome.known(new Finding.NotCreatedYet()));
                    case StockPool.Open _, StockPool.Closed _ -> compareAll(effect, Optional.empty());
                };
            case Frozen.Unfit(String why) -> Outcomes.done(Outcome.known(new Finding.Different(unfit(effect, why))));
        });
    }

    // ---- 1. freeze

    private sealed interface Frozen {
        record Yes(boolean repeated) implements Frozen {}

        record NotThere() implements Frozen {}

        record Unfit(String why) implements Frozen {}
    }

    private CompletionStage<Outcome<Frozen>> freeze(VerifyPool effect) {
        var request = new PoolStatusRequest(
                effect.pool().value(),
                effect.epoch(),
                "FREEZE:" + effect.number(),
                PoolStatus.SUSPECT,
                clock.instant());
        return scripts.poolStatus(request)
                .thenApply(outcome -> Outcomes.flatMap(outcome, reply -> switch (reply) {
                    case PoolStatusReply.Changed changed -> Outcome.known(new Frozen.Yes(changed.repeated()));
                    case PoolStatusReply.WrongStatus(var status, var _) ->
                        Outcome.known(new Frozen.Unfit("Redis has the pool as " + status));
                    case PoolStatusReply.StillReserved _,
                            PoolStatusReply.Conflict _,
                            GuardRefusal.PoolSuspect _,
                            GuardRefusal.Malformed _ -> Outcome.unavailable("the pool could not be frozen: " + reply);
                    case GuardRefusal.PoolMissing _ -> Outcome.known(new Frozen.NotThere());
                    case GuardRefusal.StaleEpoch refusal ->
                        Outcome.known(new Frozen.Unfit(ScriptAnswers.code(refusal)));
                    case GuardRefusal.BrokenBooks refusal ->
                        Outcome.known(new Frozen.Unfit(ScriptAnswers.code(refusal)));
                }));
    }

    private static DifferenceReport unfit(VerifyPool effect, String why) {
        Books expected = Books.expected(effect.epoch(), 0, total(effect.kept()), 0, 0);
        return new DifferenceReport(expected, Optional.empty(), 0, 0, List.of(), why);
    }

    private CompletionStage<Outcome<LookReply.Seen>> look(PoolId pool) {
        return scripts.look(new LookRequest(pool.value(), NO_RESERVATION))
                .thenApply(outcome -> Outcomes.flatMap(outcome, reply -> switch (reply) {
                    case LookReply.Seen seen -> Outcome.known(seen);
                    case GuardRefusal.Malformed _, GuardRefusal.PoolMissing _, GuardRefusal.BrokenBooks _ ->
                        Outcome.unavailable("the pool changed while it was frozen: " + reply);
                }));
    }

    private CompletionStage<Outcome<Finding>> compare(VerifyPool effect, boolean frozenBefore, LookReply.Seen seen) {
        // This very operation froze it before, and Redis serves it again: an earlier attempt had found it equal and
        // lost its reply.
        if (frozenBefore && seen.trusted()) {
            return Outcomes.done(Outcome.known(new Finding.Equal(ScriptAnswers.books(seen.books()))));
        }
        return compareAll(effect, Optional.of(ScriptAnswers.books(seen.books())));
    }

    // ---- 2. wait for the view

    private CompletionStage<Outcome<Finding>> compareAll(VerifyPool effect, Optional<Books> actual) {
        return Outcomes.then(
                viewHasPassed(),
                _ -> Outcomes.then(
                        nextPage(effect, actual.isPresent(), Optional.empty(), new Sums()),
                        sums -> conclude(effect, actual, sums)));
    }

    private CompletionStage<Outcome<Passage.Passed>> viewHasPassed() {
        return view.position()
                .thenCompose(position -> view.awaitPassed(position, viewPatience))
                .handle((passage, failure) -> {
                    if (failure != null) {
                        return Outcome.unavailable("the journal's position could not be read: " + failure);
                    }
                    return switch (passage) {
                        case Passage.Passed passed -> {
                            long parked = passed.parked().stream()
                                    .filter(entity -> entity.persistenceId().startsWith(ReservationMachine.NAME + "|"))
                                    .count();
                            yield parked == 0
                                    ? Outcome.known(passed)
                                    : Outcome.unavailable(parked
                                            + " reservations are set aside by the view; the pool can't be"
                                            + " compared before that is mended");
                        }
                        case Passage.NotYet(var _, String why) ->
                            Outcome.unavailable("the view has not caught up: " + why);
                    };
                });
    }

    // ---- 3. compare every reservation with its fence

    private CompletionStage<Outcome<Sums>> nextPage(
            VerifyPool effect, boolean poolIsThere, Optional<String> after, Sums sums) {
        return Outcomes.then(reservations.page(effect.pool(), after, PAGE), page -> {
            CompletionStage<Outcome<Sums>> compared = compared(effect, poolIsThere, page, 0, sums);
            return page.size() < PAGE
                    ? compared
                    : Outcomes.then(
                            compared,
                            soFar -> nextPage(
                                    effect,
                                    poolIsThere,
                                    Optional.of(page.getLast().id()),
                                    soFar));
        });
    }

    private CompletionStage<Outcome<Sums>> compared(
            VerifyPool effect, boolean poolIsThere, List<Reservation> page, int from, Sums sums) {
        if (from >= page.size()) {
            return Outcomes.done(Outcome.known(sums));
        }
        List<Reservation> part = page.subList(from, Math.min(page.size(), from + LOOKS_AT_ONCE));
        List<CompletableFuture<Outcome<FenceComparison.Result>>> looks = part.stream()
                .map(reservation -> Outcomes.then(
                                settled(effect, reservation), now -> compared(effect.pool(), poolIsThere, now))
                        .toCompletableFuture())
                .toList();
        CompletionStage<Outcome<Sums>> added = CompletableFuture.allOf(looks.toArray(CompletableFuture[]::new))
                .thenApply(_ -> {
                    for (int i = 0; i < part.size(); i++) {
                        switch (looks.get(i).join()) {
                            case Outcome.Known<FenceComparison.Result>(var result) ->
                                sums.add(part.get(i).id(), result);
                            case Outcome.Unknown<FenceComparison.Result>(String why) -> {
                                return Outcome.unavailable(why);
                            }
                            case Outcome.Unavailable<FenceComparison.Result>(String why) -> {
                                return Outcome.unavailable(why);
                            }
                        }
                    }
                    return Outcome.known(sums);
                });
        return Outcomes.then(added, soFar -> compared(effect, poolIsThere, page, from + LOOKS_AT_ONCE, soFar));
    }

    /** The reservation as it may be compared: told of the comparison, where an operation is owed. */
    private CompletionStage<Outcome<Reservation>> settled(VerifyPool effect, Reservation reservation) {
        return switch (reservation.unmarked()) {
            case Preparing _, Confirming _, Canceling _, Refunding _ -> notice.tell(reservation.id(), effect.number());
            case None _, Reserved _, CreatedReserved _, Confirmed _, Canceled _, Refunded _, Rejected _ ->
                Outcomes.done(Outcome.known(reservation));
        };
    }

    private CompletionStage<Outcome<FenceComparison.Result>> compared(
            PoolId pool, boolean poolIsThere, Reservation reservation) {
        if (!poolIsThere) {
            return Outcomes.done(Outcome.known(FenceComparison.compare(reservation, Optional.empty())));
        }
        return scripts.look(new LookRequest(pool.value(), reservation.id()))
                .thenApply(outcome -> Outcomes.flatMap(outcome, reply -> switch (reply) {
                    case LookReply.Seen seen -> Outcome.known(FenceComparison.compare(reservation, seen.fence()));
                    case GuardRefusal.BrokenBooks(String what) ->
                        Outcome.known(new FenceComparison.Result.Differs(
                                reservation.status().name(), "unreadable: " + what));
                    case GuardRefusal.Malformed _, GuardRefusal.PoolMissing _ ->
                        Outcome.unavailable("the pool changed while it was frozen: " + reply);
                }));
    }

    /** What the fences add up to. Memory does not grow with the pool: only the first differences are kept by name. */
    private static final class Sums {
        private long compared;
        private long reserved;
        private long sold;
        private long differing;
        private final List<Difference> first = new ArrayList<>();

        void add(String reservationId, FenceComparison.Result result) {
            compared++;
            switch (result) {
                case FenceComparison.Result.Agrees(long units, long soldUnits) -> {
                    reserved += units;
                    sold += soldUnits;
                }
                case FenceComparison.Result.Differs(String journal, String fence) -> {
                    differing++;
                    if (first.size() < DifferenceReport.NAMED) {
                        first.add(new Difference(reservationId, journal, fence));
                    }
                }
            }
        }
    }

    // ---- 4. compare the numbers, and open

    private CompletionStage<Outcome<Finding>> conclude(VerifyPool effect, Optional<Books> actual, Sums sums) {
        if (actual.isEmpty()) {
            return different(effect, actual, sums, "Redis has no such pool");
        }
        if (sums.differing > 0) {
            return different(
                    effect,
                    actual,
                    sums,
                    sums.differing + " of " + sums.compared + " reservations differ from their fences");
        }
        Books expected = expected(effect, actual.get(), sums);
        var request = new PoolVerifyRequest(
                effect.pool().value(),
                effect.epoch(),
                effect.operationId(),
                OptionalLong.empty(),
                expected.total(),
                expected.deficit(),
                expected.available(),
                expected.reserved(),
                expected.sold(),
                restored(effect.kept()),
                clock.instant());
        return Outcomes.then(scripts.poolVerify(request), reply -> switch (reply) {
            case PoolVerifyReply.Verified verified ->
                Outcomes.done(Outcome.known(new Finding.Equal(ScriptAnswers.books(verified.books()))));
            case PoolVerifyReply.Differs(var _, var found) ->
                different(
                        effect,
                        Optional.of(ScriptAnswers.books(found)),
                        sums,
                        "every fence agrees with its journal, but the pool's numbers do not add up to them");
            case PoolVerifyReply.Conflict _,
                    GuardRefusal.Malformed _,
                    GuardRefusal.PoolSuspect _,
                    GuardRefusal.StaleEpoch _ ->
                Outcomes.done(Outcome.unavailable("the comparison was answered " + reply));
            case GuardRefusal.PoolMissing _ -> different(effect, Optional.empty(), sums, "Redis has no such pool");
            case GuardRefusal.BrokenBooks refusal -> different(effect, actual, sums, ScriptAnswers.code(refusal));
        });
    }

    private static CompletionStage<Outcome<Finding>> different(
            VerifyPool effect, Optional<Books> actual, Sums sums, String summary) {
        Books expected = actual.map(books -> expected(effect, books, sums))
                .orElseGet(() -> Books.expected(effect.epoch(), 0, total(effect.kept()), sums.reserved, sums.sold));
        return Outcomes.done(Outcome.known(new Finding.Different(
                new DifferenceReport(expected, actual, sums.compared, sums.differing, sums.first, summary))));
    }

    /** An Adjust in flight may have happened: then its total is the right one. */
    private static Books expected(VerifyPool effect, Books actual, Sums sums) {
        long total = effect.kept()
                .work()
                .inFlight()
                .filter(PoolOperation.Adjust.class::isInstance)
                .map(operation -> ((PoolOperation.Adjust) operation).newTotal())
                .filter(newTotal -> newTotal == actual.total())
                .orElseGet(() -> total(effect.kept()));
        return Books.expected(actual.epoch(), actual.version(), total, sums.reserved, sums.sold);
    }

    private static long total(Trusted kept) {
        return switch (kept) {
            case StockPool.Initializing initializing -> initializing.total();
            case StockPool.Open open -> open.baseline().total();
            case StockPool.Closed closed -> closed.baseline().total();
        };
    }

    /**
     * The status Redis gets when all is equal. Where a change of status is in flight, its target: it may have happened before the
     * freeze, and asked for again it would only be answered so, not done again.
     */
    private static PoolStatus restored(Trusted kept) {
        PoolStatus before = switch (kept) {
            case StockPool.Initializing _ -> PoolStatus.OPEN;
            case StockPool.Open open -> open.paused() ? PoolStatus.PAUSED : PoolStatus.OPEN;
            case StockPool.Closed _ -> PoolStatus.CLOSED;
        };
        return kept.work()
                .inFlight()
                .flatMap(operation -> switch (operation) {
                    case PoolOperation.Init _, PoolOperation.Adjust _ -> Optional.empty();
                    case PoolOperation.Pause _ -> Optional.of(Target.PAUSED);
                    case PoolOperation.Resume _ -> Optional.of(Target.OPEN);
                    case PoolOperation.Close _ -> Optional.of(Target.CLOSED);
                })
                .map(StockPoolEffects::status)
                .orElse(before);
    }
}
