package io.holdfast.reservation.entity;

import io.holdfast.engine.effect.Backoff;
import io.holdfast.engine.effect.Outcome;
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
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPool.Trusted;
import io.holdfast.reservation.domain.StockPoolCommand.Finding;
import io.holdfast.reservation.domain.StockPoolEffect.SetPoolStatus.Target;
import io.holdfast.reservation.domain.StockPoolEffect.VerifyPool;
import io.holdfast.reservation.port.OpeningNotice;
import io.holdfast.reservation.port.Pause;
import io.holdfast.reservation.port.PoolReservations;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/**
 * Compares a pool in Redis with the journals, in this order:
 *
 * <ol>
 *   <li>Freeze the pool in Redis, under an id of this attempt. From here on no script moves it, so what the journals do not know yet can't
 *       happen any more.
 *   <li>Take the journal's position and wait until the view has passed it: every operation that may have moved the pool is now in the
 *       view, at least as an intent.
 *   <li>Compare every reservation of the pool with its fence, page by page, and add up what the fences hold and have sold. One that owes an
 *       operation is told of the freeze first, and records nothing that Redis answered before: what Redis does not show of it is then
 *       not done, whatever a process that is gone may have answered. Told of this freeze once, it need not be told again while the very
 *       process that made it has kept the pool frozen, for nothing can have been done since.
 *   <li>Ask again whether the view has passed the position, and was whole all the time.
 *   <li>A version older than one the journals know shows that Redis went back in time, even if nothing else does.
 *   <li>The total is the pool's own journal's; deficit and available follow. If Redis has these numbers, the pool journals that it is about
 *       to be opened; a copy of it that was left behind, and would open what it once knew, can't. Redis compares and opens the pool, in
 *       one script, if it is still frozen by this attempt under the process that answers. If not, the next attempt starts over.
 * </ol>
 *
 * <p>Nothing of it is kept between attempts: a repeat starts over.
 */
final class PoolVerification {

    private static final int PAGE = 500;
    private static final int LOOKS_AT_ONCE = 32;

    // Far fewer than calls may wait on one connection (redis.queue): other work must still get through.
    private static final int LOOKS_OF_THIS_NODE = 256;
    private static final int LOOK_ATTEMPTS = 8;
    private static final Backoff LOOK_AGAIN = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(2), 2, 0);

    private static final String NOT_ADDING_UP =
            "every fence agrees with its journal, but the pool's numbers do not add up to them";

    private final StockScripts scripts;
    private final PoolReservations reservations;
    private final FreezeNotice notice;
    private final OpeningNotice opening;
    private final HandOver handOver;
    private final WholeView view;
    private final InstantSource clock;
    private final Pause pause;
    private final LongSupplier attempts;
    private final InFlight looks = new InFlight(LOOKS_OF_THIS_NODE);

    /** @param attempts a new number for every attempt */
    PoolVerification(
            StockScripts scripts,
            PoolReservations reservations,
            FreezeNotice notice,
            OpeningNotice opening,
            HandOver handOver,
            WholeView view,
            InstantSource clock,
            Pause pause,
            LongSupplier attempts) {
        this.scripts = scripts;
        this.reservations = reservations;
        this.notice = notice;
        this.opening = opening;
        this.handOver = handOver;
        this.view = view;
        this.clock = clock;
        this.pause = pause;
        this.attempts = attempts;
    }

    CompletionStage<Outcome<Finding>> verify(VerifyPool effect) {
        long attempt = attempts.getAsLong();
        String freeze = effect.operationId() + ":" + attempt;
        return Outcomes.then(freeze(effect, freeze, attempt), frozen -> switch (frozen) {
            // What the gate has let in and no journal has yet would be a difference. Nobody is let in any more.
            case Frozen.Yes yes ->
                Outcomes.then(
                        handOver.all(
                                effect.pool(), effect.epoch(), effect.kept().sale()),
                        _ -> compareAll(effect, Optional.of(yes)));
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
        /**
         * @param operationId of this attempt's freeze
         * @param books as it found them
         * @param generation the attempt that froze the pool first; from then on this process has moved nothing of it
         */
        record Yes(String operationId, Books books, long generation) implements Frozen {}

        record NotThere() implements Frozen {}

        record Unfit(String why) implements Frozen {}
    }

    private CompletionStage<Outcome<Frozen>> freeze(VerifyPool effect, String operationId, long attempt) {
        var request = new PoolStatusRequest(
                effect.pool().value(), effect.epoch(), operationId, PoolStatus.SUSPECT, clock.instant());
        return scripts.poolStatus(request)
                .thenApply(outcome -> Outcomes.flatMap(outcome, reply -> switch (reply) {
                    case PoolStatusReply.Changed changed ->
                        Outcome.known(new Frozen.Yes(
                                operationId,
                                ScriptAnswers.books(changed.books()),
                                FreezeNotice.generation(changed.frozenSince(), attempt)));
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
        Books expected = Books.expected(effect.epoch(), 0, effect.kept().total(), 0, 0);
        return new DifferenceReport(expected, Optional.empty(), 0, 0, List.of(), why);
    }

    // ---- 2. read the whole view

    private CompletionStage<Outcome<Finding>> compareAll(VerifyPool effect, Optional<Frozen.Yes> frozen) {
        return Outcomes.then(
                view.read(effect.pool(), () -> nextPage(effect, frozen, Optional.empty(), new Sums(effect))),
                sums -> conclude(effect, frozen, sums));
    }

    // ---- 3. compare every reservation with its fence

    private CompletionStage<Outcome<Sums>> nextPage(
            VerifyPool effect, Optional<Frozen.Yes> frozen, Optional<String> after, Sums sums) {
        return Outcomes.then(reservations.page(effect.pool(), after, PAGE), page -> {
            CompletionStage<Outcome<Sums>> compared = compared(effect, frozen, page, 0, sums);
            return page.size() < PAGE
                    ? compared
                    : Outcomes.then(
                            compared,
                            soFar -> nextPage(
                                    effect, frozen, Optional.of(page.getLast().id()), soFar));
        });
    }

    private CompletionStage<Outcome<Sums>> compared(
            VerifyPool effect, Optional<Frozen.Yes> frozen, List<Reservation> page, int from, Sums sums) {
        if (from >= page.size()) {
            return Outcomes.done(Outcome.known(sums));
        }
        List<Reservation> part = page.subList(from, Math.min(page.size(), from + LOOKS_AT_ONCE));
        List<CompletableFuture<Outcome<FenceComparison.Result>>> looks = part.stream()
                .map(reservation -> Outcomes.then(
                                settled(frozen, sums, reservation),
                                now -> compared(effect.pool(), frozen.isPresent(), now))
                        .toCompletableFuture())
                .toList();
        CompletionStage<Outcome<Sums>> added = CompletableFuture.allOf(looks.toArray(CompletableFuture[]::new))
                .thenApply(_ -> {
                    for (int i = 0; i < part.size(); i++) {
                        switch (looks.get(i).join()) {
                            case Outcome.Known<FenceComparison.Result>(var result) -> sums.add(part.get(i), result);
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
        return Outcomes.then(added, soFar -> compared(effect, frozen, page, from + LOOKS_AT_ONCE, soFar));
    }

    /**
     * The reservation as it may be compared: told of the freeze, where an operation is owed. Where the pool stays frozen whatever the answer,
     * nobody needs to know.
     */
    private CompletionStage<Outcome<Settled>> settled(Optional<Frozen.Yes> frozen, Sums sums, Reservation reservation) {
        if (frozen.isEmpty() || sums.differing > 0) {
            return Outcomes.done(Outcome.known(Settled.alone(reservation)));
        }
        return notice.settled(reservation, frozen.get().generation(), Optional.empty());
    }

    private CompletionStage<Outcome<FenceComparison.Result>> compared(
            PoolId pool, boolean poolIsThere, Settled settled) {
        if (!poolIsThere) {
            return Outcomes.done(Outcome.known(FenceComparison.compare(settled, Optional.empty())));
        }
        return look(new LookRequest(pool.value(), settled.reservation().id()), 0)
                .thenApply(outcome -> Outcomes.flatMap(outcome, reply -> switch (reply) {
                    case LookReply.Seen seen ->
                        Outcome.known(FenceComparison.compare(
                                settled, seen.fence(), seen.books().epoch()));
                    case GuardRefusal.BrokenBooks(String what) ->
                        Outcome.known(new FenceComparison.Result.Differs(
                                settled.reservation().status().name(), "unreadable: " + what));
                    case GuardRefusal.Malformed _, GuardRefusal.PoolMissing _ ->
                        Outcome.unavailable("the pool changed while it was frozen: " + reply);
                }));
    }

    /** A look that failed is repeated: the comparison would otherwise start over for one of many thousand. */
    private CompletionStage<Outcome<LookReply>> look(LookRequest request, int failed) {
        return looks.ask(() -> scripts.look(request)).thenCompose(outcome -> switch (outcome) {
            case Outcome.Known<LookReply> known -> Outcomes.done(known);
            case Outcome.Unknown<LookReply> _, Outcome.Unavailable<LookReply> _ ->
                failed + 1 == LOOK_ATTEMPTS
                        ? Outcomes.done(outcome)
                        : pause.of(LOOK_AGAIN.delayAfter(failed + 1, 0)).thenCompose(_ -> look(request, failed + 1));
        });
    }

    /** What the fences add up to. Memory does not grow with the pool: only the first differences are kept by name. */
    private static final class Sums {
        private final long epoch;
        private long latestVersion;
        private long compared;
        private long reserved;
        private long sold;
        private long differing;
        private final List<Difference> first = new ArrayList<>();

        Sums(VerifyPool effect) {
            epoch = effect.epoch();
            effect.kept().latestBooks().ifPresent(this::seen);
        }

        /** Numbers an operation left. */
        private void seen(Books books) {
            latestVersion = books.epoch() == epoch ? Math.max(latestVersion, books.version()) : latestVersion;
        }

        void add(Reservation reservation, FenceComparison.Result result) {
            compared++;
            reservation.latestBooks().ifPresent(this::seen);
            switch (result) {
                case FenceComparison.Result.Agrees(long units, long soldUnits) -> {
                    reserved += units;
                    sold += soldUnits;
                }
                case FenceComparison.Result.Differs(String journal, String fence) -> {
                    differing++;
                    if (first.size() < DifferenceReport.NAMED) {
                        first.add(new Difference(reservation.id(), journal, fence));
                    }
                }
            }
        }
    }

    // ---- 5. compare the numbers, and open

    private CompletionStage<Outcome<Finding>> conclude(VerifyPool effect, Optional<Frozen.Yes> frozen, Sums sums) {
        Optional<Books> actual = frozen.map(Frozen.Yes::books);
        if (frozen.isEmpty()) {
            return different(effect, actual, sums, "Redis has no such pool");
        }
        if (sums.differing > 0) {
            return different(
                    effect,
                    actual,
                    sums,
                    sums.differing + " of " + sums.compared + " reservations differ from their fences");
        }
        if (frozen.get().books().version() < sums.latestVersion) {
            return different(
                    effect,
                    actual,
                    sums,
                    "every fence agrees with its journal, but Redis went back to version "
                            + frozen.get().books().version() + " from " + sums.latestVersion);
        }
        Books expected = expected(effect, frozen.get().books(), sums);
        if (!expected.equals(frozen.get().books())) {
            return different(effect, actual, sums, NOT_ADDING_UP);
        }
        var request = new PoolVerifyRequest(
                effect.pool().value(),
                effect.epoch(),
                frozen.get().operationId(),
                frozen.get().books().version(),
                expected.total(),
                expected.deficit(),
                expected.available(),
                expected.reserved(),
                expected.sold(),
                restored(effect.kept()),
                clock.instant());
        return Outcomes.then(
                opening.tell(effect.pool(), effect.number(), request.operationId()),
                _ -> Outcomes.then(scripts.poolVerify(request), reply -> switch (reply) {
                    case PoolVerifyReply.Verified verified ->
                        Outcomes.done(Outcome.known(new Finding.Equal(ScriptAnswers.books(verified.books()))));
                    case PoolVerifyReply.Differs(var _, var found) ->
                        different(effect, Optional.of(ScriptAnswers.books(found)), sums, NOT_ADDING_UP);
                    case PoolVerifyReply.NotFrozen _,
                            PoolVerifyReply.Conflict _,
                            GuardRefusal.Malformed _,
                            GuardRefusal.PoolSuspect _,
                            GuardRefusal.StaleEpoch _ ->
                        Outcomes.done(Outcome.unavailable("the comparison was answered " + reply));
                    case GuardRefusal.PoolMissing _ ->
                        different(effect, Optional.empty(), sums, "Redis has no such pool");
                    case GuardRefusal.BrokenBooks refusal ->
                        different(effect, actual, sums, ScriptAnswers.code(refusal));
                }));
    }

    private static CompletionStage<Outcome<Finding>> different(
            VerifyPool effect, Optional<Books> actual, Sums sums, String summary) {
        Books expected = actual.map(books -> expected(effect, books, sums))
                .orElseGet(() -> Books.expected(effect.epoch(), 0, effect.kept().total(), sums.reserved, sums.sold));
        return Outcomes.done(Outcome.known(new Finding.Different(
                new DifferenceReport(expected, actual, sums.compared, sums.differing, sums.first, summary))));
    }

    /** A change of the total in flight may have happened: then its total is the right one. */
    private static Books expected(VerifyPool effect, Books actual, Sums sums) {
        Trusted kept = effect.kept();
        long total = kept.work()
                .inFlight()
                .map(kept::totalAfter)
                .filter(after -> after == actual.total())
                .orElseGet(kept::total);
        return Books.expected(actual.epoch(), actual.version(), total, sums.reserved, sums.sold);
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
                    // An Archive is done anew after this, under another id.
                    case PoolOperation.Init _,
                            PoolOperation.Adjust _,
                            PoolOperation.Give _,
                            PoolOperation.Receive _,
                            PoolOperation.Archive _,
                            PoolOperation.Repair _ -> Optional.empty();
                    case PoolOperation.Pause _ -> Optional.of(Target.PAUSED);
                    case PoolOperation.Resume _ -> Optional.of(Target.OPEN);
                    case PoolOperation.Close _ -> Optional.of(Target.CLOSED);
                })
                .map(StockPoolEffects::status)
                .orElse(before);
    }
}
