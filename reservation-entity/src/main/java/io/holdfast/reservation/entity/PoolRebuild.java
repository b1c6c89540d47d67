package io.holdfast.reservation.entity;

import io.holdfast.engine.effect.Backoff;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.GuardRefusal;
import io.holdfast.lua.JournaledFence;
import io.holdfast.lua.Phase;
import io.holdfast.lua.PoolRebuildBeginReply;
import io.holdfast.lua.PoolRebuildBeginRequest;
import io.holdfast.lua.PoolRebuildLoadReply;
import io.holdfast.lua.PoolRebuildLoadRequest;
import io.holdfast.lua.PoolRebuildOpenReply;
import io.holdfast.lua.PoolRebuildOpenRequest;
import io.holdfast.lua.PoolStatus;
import io.holdfast.lua.StockScripts;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.Claim;
import io.holdfast.reservation.domain.PoolEpoch;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPool.Baseline;
import io.holdfast.reservation.domain.StockPool.Trusted;
import io.holdfast.reservation.domain.StockPoolCommand.RebuildResult;
import io.holdfast.reservation.domain.StockPoolEffect.RebuildPool;
import io.holdfast.reservation.port.Loadable;
import io.holdfast.reservation.port.OpeningNotice;
import io.holdfast.reservation.port.Pause;
import io.holdfast.reservation.port.PoolReservations;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/**
 * Loads a pool in Redis anew from the journals, in this order:
 *
 * <ol>
 *   <li>Raise the epoch in Redis, under an id of this attempt. The pool's journal has it already. From here on no script of an earlier
 *       epoch, and none of an earlier attempt, changes anything.
 *   <li>Hand over what the gate has let in and no journal has yet. Nobody is let in from now on.
 *   <li>Take the journal's position and wait until the view has passed it: whatever may have moved the pool is in the view, at least as an
 *       intent.
 *   <li>Go through the reservations of the pool, page by page. One that owes an operation is told first, journals the epoch, and records
 *       nothing that Redis answered before: the operation counts as not done, and is asked for again when the pool serves. The fences go to Redis in chunks,
 *       each of them once and in order.
 *   <li>Admissions that were never handed off come last, those first that were let in first: the pool may have been open without them since,
 *       and their units be others'. One whose units fit under the total beside all that is promised is loaded; any other is told that it has
 *       ended, and the rebuild goes on when that is journaled.
 *   <li>Ask again whether the view has passed the position, and was whole all the time.
 *   <li>Have the pool journal that it is about to be opened. A copy of the pool that was left behind, and would load what it once knew, can't.
 *   <li>Redis compares what it has loaded with what was sent, gets the numbers, and opens the pool, in one script.
 * </ol>
 *
 * <p>Nothing is kept between attempts: a repeat starts over, and takes the pool from an attempt that may still be running somewhere.
 * Memory does not grow with the pool, but for admissions that were never handed off, of which the gate lets only so many wait.
 */
final class PoolRebuild {

    /** Reservations read at once; the next page is read while this one is loaded. */
    private static final int PAGE = 1_000;

    /** Fences in one call of Redis, which does nothing else meanwhile: a few milliseconds. */
    private static final int CHUNK = 250;

    private static final int TOLD_AT_ONCE = 32;

    private static final Comparator<Reservation> FIRST_LET_IN = Comparator.<Reservation, Instant>comparing(
                    admission -> admission
                            .asked()
                            .flatMap(Claim::admission)
                            .orElseThrow()
                            .order()
                            .reservedAt())
            .thenComparing(Reservation::id);

    private static final int CHUNK_ATTEMPTS = 8;
    private static final Backoff CHUNK_AGAIN = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(2), 2, 0);

    private final StockScripts scripts;
    private final PoolReservations reservations;
    private final FreezeNotice notice;
    private final OpeningNotice opening;
    private final HandOver handOver;
    private final WholeView view;
    private final InstantSource clock;
    private final Pause pause;
    private final LongSupplier attempts;

    /** @param attempts a new number for every attempt */
    PoolRebuild(
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

    CompletionStage<Outcome<RebuildResult>> rebuild(RebuildPool effect) {
        long attempt = attempts.getAsLong();
        var request = new PoolRebuildBeginRequest(
                effect.pool().value(), effect.epoch(), effect.operationId() + ":" + attempt, clock.instant());
        return Outcomes.then(scripts.poolRebuildBegin(request), reply -> switch (reply) {
            case PoolRebuildBeginReply.Begun begun -> {
                var loading = new Loading(
                        effect,
                        request.operationId(),
                        FreezeNotice.generation(begun.frozenSince(), attempt),
                        begun.books().version());
                yield Outcomes.then(
                        handOver.all(
                                effect.pool(), effect.epoch(), effect.kept().sale()),
                        _ -> Outcomes.then(
                                view.read(effect.pool(), loading::all),
                                _ -> Outcomes.then(
                                        opening.tell(effect.pool(), effect.number(), request.operationId()),
                                        _ -> loading.opened())));
            }
            // An attempt before this one has opened it, and nobody heard. Nothing was asked of it since: it is not said
            // to serve yet.
            case PoolRebuildBeginReply.AlreadyOpen(var _, long fences, var books) ->
                Outcomes.done(Outcome.known(new RebuildResult.Opened(ScriptAnswers.books(books), fences)));
            case GuardRefusal.StaleEpoch(long epoch) ->
                Outcomes.done(Outcome.known(new RebuildResult.Overtaken(epoch)));
            case GuardRefusal.Malformed _ -> Outcomes.done(Outcome.unavailable("the rebuild was answered " + reply));
        });
    }

    /** One attempt, from its beginning in Redis on. Used by one thread after the other. */
    private final class Loading {

        private final RebuildPool effect;
        private final String operationId;
        private final long generation;
        private final Optional<PoolEpoch> raised;
        private final List<JournaledFence> waiting = new ArrayList<>(CHUNK);
        private long version;
        private long chunks;
        private long fences;
        private long fencedSold;
        private long reserved;
        private long sold;
        private final List<Reservation> provisional = new ArrayList<>();

        Loading(RebuildPool effect, String operationId, long generation, long version) {
            this.effect = effect;
            this.operationId = operationId;
            this.generation = generation;
            this.raised = Optional.of(new PoolEpoch(effect.pool(), effect.epoch()));
            this.version = Math.max(version, latestVersion(effect.kept()));
        }

        /** Loads every reservation; the answer says nothing but that they are. */
        CompletionStage<Outcome<Boolean>> all() {
            return Outcomes.then(pages(page(Optional.empty())), _ -> provisional());
        }

        private CompletionStage<Outcome<List<Loadable>>> page(Optional<String> after) {
            return reservations.loadable(effect.pool(), after, PAGE);
        }

        private CompletionStage<Outcome<Boolean>> pages(CompletionStage<Outcome<List<Loadable>>> coming) {
            return Outcomes.then(coming, page -> {
                if (page.size() < PAGE) {
                    return load(page);
                }
                CompletionStage<Outcome<List<Loadable>>> next =
                        page(Optional.of(page.getLast().id()));
                return Outcomes.then(load(page), _ -> pages(next));
            });
        }

        /**
         * Sends the fences of these, in chunks, and waits until they are loaded. What does not fill a chunk goes with what comes next. Those
         * that have to be told first come last.
         */
        private CompletionStage<Outcome<Boolean>> load(List<Loadable> page) {
            List<CompletableFuture<Outcome<Boolean>>> sent = new ArrayList<>();
            List<Reservation> untold = new ArrayList<>();
            for (Loadable one : page) {
                switch (one) {
                    case Loadable.Plain plain -> load(LoadedReservation.of(plain), sent);
                    case Loadable.Whole(Reservation reservation)
                    when FreezeNotice.mustBeTold(reservation, true) -> untold.add(reservation);
                    case Loadable.Whole(Reservation reservation) -> load(Settled.alone(reservation), sent);
                }
            }
            return Outcomes.then(settled(untold, 0, new ArrayList<>(untold.size())), told -> {
                told.forEach(settled -> load(settled, sent));
                return all(sent);
            });
        }

        private void load(Settled settled, List<CompletableFuture<Outcome<Boolean>>> sent) {
            if (settled.reservation().isProvisional()) {
                provisional.add(settled.reservation());
            } else {
                load(LoadedReservation.of(settled), sent);
            }
        }

        private CompletionStage<Outcome<List<Settled>>> settled(List<Reservation> page, int from, List<Settled> soFar) {
            if (from >= page.size()) {
                return Outcomes.done(Outcome.known(soFar));
            }
            List<Reservation> part = page.subList(from, Math.min(page.size(), from + TOLD_AT_ONCE));
            List<CompletableFuture<Outcome<Settled>>> told = part.stream()
                    .map(reservation ->
                            notice.settled(reservation, generation, raised).toCompletableFuture())
                    .toList();
            CompletionStage<Outcome<List<Settled>>> added = CompletableFuture.allOf(
                            told.toArray(CompletableFuture[]::new))
                    .thenApply(_ -> {
                        Outcome<List<Settled>> all = Outcome.known(soFar);
                        for (CompletableFuture<Outcome<Settled>> one : told) {
                            all = Outcomes.flatMap(
                                    all,
                                    known -> one.join().map(settled -> {
                                        known.add(settled);
                                        return known;
                                    }));
                        }
                        return all;
                    });
            return Outcomes.then(added, more -> settled(page, from + TOLD_AT_ONCE, more));
        }

        /** Everything else is counted: who is let in of those of whom Redis may know nothing. What they leave of a chunk is sent. */
        private CompletionStage<Outcome<Boolean>> provisional() {
            long total = effect.kept().total();
            List<CompletableFuture<Outcome<Boolean>>> sent = new ArrayList<>();
            List<Reservation> lost = new ArrayList<>();
            provisional.sort(FIRST_LET_IN);
            for (Reservation admission : provisional) {
                LoadedReservation loaded = LoadedReservation.of(admission);
                if (loaded.reserved() <= total - reserved - sold) {
                    load(loaded, sent);
                } else {
                    version = Math.max(version, loaded.latestVersion());
                    lost.add(admission);
                }
            }
            provisional.clear();
            if (!waiting.isEmpty()) {
                sent.add(send().toCompletableFuture());
            }
            return Outcomes.then(all(sent), _ -> end(lost, 0, total, reserved + sold));
        }

        private CompletionStage<Outcome<Boolean>> end(List<Reservation> lost, int from, long total, long promised) {
            if (from >= lost.size()) {
                return Outcomes.done(Outcome.known(true));
            }
            List<CompletableFuture<Outcome<Boolean>>> told =
                    lost.subList(from, Math.min(lost.size(), from + TOLD_AT_ONCE)).stream()
                            .map(admission -> notice.lost(admission, generation, total, promised)
                                    .thenApply(outcome -> outcome.map(_ -> true))
                                    .toCompletableFuture())
                            .toList();
            return Outcomes.then(all(told), _ -> end(lost, from + TOLD_AT_ONCE, total, promised));
        }

        private void load(LoadedReservation loaded, List<CompletableFuture<Outcome<Boolean>>> sent) {
            add(loaded);
            if (waiting.size() == CHUNK) {
                sent.add(send().toCompletableFuture());
            }
        }

        private static CompletionStage<Outcome<Boolean>> all(List<CompletableFuture<Outcome<Boolean>>> sent) {
            return CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new))
                    .thenApply(_ -> sent.stream()
                            .map(CompletableFuture::join)
                            .filter(outcome -> !(outcome instanceof Outcome.Known<Boolean>))
                            .findFirst()
                            .orElseGet(() -> Outcome.known(true)));
        }

        private void add(LoadedReservation loaded) {
            reserved += loaded.reserved();
            sold += loaded.sold();
            version = Math.max(version, loaded.latestVersion());
            loaded.fence().ifPresent(fence -> {
                fences++;
                fencedSold += fence.phase() == Phase.CONFIRMED ? fence.left() : 0;
                waiting.add(fence);
            });
        }

        private CompletionStage<Outcome<Boolean>> send() {
            chunks++;
            var request = new PoolRebuildLoadRequest(
                    effect.pool().value(), effect.epoch(), operationId, chunks, waiting, clock.instant());
            waiting.clear();
            return sent(request, 0);
        }

        /** A chunk is asked for again under its number; those after it are refused until it is there, and asked for again too. */
        private CompletionStage<Outcome<Boolean>> sent(PoolRebuildLoadRequest request, int failed) {
            return scripts.poolRebuildLoad(request).thenCompose(outcome -> switch (outcome) {
                case Outcome.Known<PoolRebuildLoadReply>(PoolRebuildLoadReply reply) ->
                    switch (reply) {
                        case PoolRebuildLoadReply.Loaded _ -> Outcomes.done(Outcome.known(true));
                        case PoolRebuildLoadReply.OutOfOrder(long next) ->
                            again(request, failed + 1, "chunk " + next + " is not loaded");
                        case PoolRebuildLoadReply.NotBegun _,
                                GuardRefusal.Malformed _,
                                GuardRefusal.PoolMissing _,
                                GuardRefusal.StaleEpoch _,
                                GuardRefusal.BrokenBooks _ ->
                            Outcomes.done(Outcome.unavailable("loading was answered " + reply));
                    };
                case Outcome.Unknown<PoolRebuildLoadReply>(String why) -> again(request, failed + 1, why);
                case Outcome.Unavailable<PoolRebuildLoadReply>(String why) -> again(request, failed + 1, why);
            });
        }

        private CompletionStage<Outcome<Boolean>> again(PoolRebuildLoadRequest request, int failed, String why) {
            return failed == CHUNK_ATTEMPTS
                    ? Outcomes.done(Outcome.unavailable("chunk " + request.chunk() + " could not be loaded: " + why))
                    : pause.of(CHUNK_AGAIN.delayAfter(failed, 0)).thenCompose(_ -> sent(request, failed));
        }

        CompletionStage<Outcome<RebuildResult>> opened() {
            Books books =
                    Books.expected(effect.epoch(), version + 1, effect.kept().total(), reserved, sold);
            var request = new PoolRebuildOpenRequest(
                    effect.pool().value(),
                    effect.epoch(),
                    operationId,
                    chunks,
                    fences,
                    fencedSold,
                    books.version(),
                    books.total(),
                    books.deficit(),
                    books.available(),
                    books.reserved(),
                    books.sold(),
                    baselineVersion(effect.kept()),
                    status(effect.kept()),
                    effect.kept().sale().map(ScriptSale::of),
                    clock.instant());
            return scripts.poolRebuildOpen(request)
                    .thenApply(outcome -> Outcomes.flatMap(outcome, reply -> switch (reply) {
                        case PoolRebuildOpenReply.Opened opened ->
                            Outcome.known(new RebuildResult.Opened(ScriptAnswers.books(opened.books()), fences));
                        case PoolRebuildOpenReply.Differs _,
                                PoolRebuildOpenReply.StillDue _,
                                PoolRebuildOpenReply.NotBegun _,
                                PoolRebuildOpenReply.Conflict _,
                                GuardRefusal.Malformed _,
                                GuardRefusal.PoolMissing _,
                                GuardRefusal.StaleEpoch _,
                                GuardRefusal.BrokenBooks _ -> Outcome.unavailable("opening was answered " + reply);
                    }));
        }
    }

    private static long latestVersion(Trusted kept) {
        return kept.latestBooks().map(Books::version).orElse(0L);
    }

    private static long baselineVersion(Trusted kept) {
        return kept.totals().map(Baseline::version).orElse(1L);
    }

    /** A change of status in flight has not happened. */
    private static PoolStatus status(Trusted kept) {
        return switch (kept) {
            case StockPool.Initializing _ -> PoolStatus.OPEN;
            case StockPool.Open open -> open.paused() ? PoolStatus.PAUSED : PoolStatus.OPEN;
            case StockPool.Closed _ -> PoolStatus.CLOSED;
        };
    }
}
