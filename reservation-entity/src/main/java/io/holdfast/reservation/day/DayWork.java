package io.holdfast.reservation.day;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.fleet.FleetWork;
import io.holdfast.engine.fleet.Passes;
import io.holdfast.engine.fleet.Pause;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Refusal;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.reservation.day.DayListener.Step;
import io.holdfast.reservation.day.DayTable.DayPool;
import io.holdfast.reservation.domain.DishBaseline;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.PoolOperation;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.domain.StockPoolRefusal;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The turn of the days, once in the fleet, page by page: creates the pools of the day that is and, in good time, of the next; closes those
 * of a day that is over; archives the closed ones that are drained. It decides nothing: every pool is asked, under an id that is the same
 * however often and by whomever, so a page that is done twice is done once. What fails is tried again in the next pass.
 */
public final class DayWork implements FleetWork {

    private static final Logger LOG = LoggerFactory.getLogger(DayWork.class);
    /** No zone is further from UTC. */
    private static final int FARTHEST_ZONE_DAYS = 1;

    private final BaselineTable baselines;
    private final MerchantCalendars calendars;
    private final BaselinePools dayPools;
    private final Entities<StockPool, StockPoolCommand> pools;
    private final DayPlan plan;
    private final DaySettings settings;
    private final InstantSource clock;
    private final Supplier<String> ids;
    private final DayListener listener;

    private @Nullable Place place; // where the current pass is; null between passes
    private final Passes passes;
    private final Map<PoolId, Long> notDrained = new HashMap<>();

    private sealed interface Place {
        record Preparing(@Nullable DishBaseline after) implements Place {}

        record Ending(@Nullable DayPool after) implements Place {}
    }

    /**
     * @param dayPools how pools are created from baselines
     * @param ids gives an id that was never given before, such as a random UUID
     */
    public DayWork(
            BaselineTable baselines,
            MerchantCalendars calendars,
            BaselinePools dayPools,
            Entities<StockPool, StockPoolCommand> pools,
            DaySettings settings,
            InstantSource clock,
            Supplier<String> ids,
            DayListener listener) {
        this.baselines = baselines;
        this.calendars = calendars;
        this.dayPools = dayPools;
        this.pools = pools;
        this.plan = new DayPlan(settings);
        this.settings = settings;
        this.passes = new Passes(settings.interval());
        this.clock = clock;
        this.ids = ids;
        this.listener = listener;
    }

    @Override
    public String name() {
        return "business-days";
    }

    @Override
    public void begin(Connection connection) {
        place = null; // what was left of an interrupted pass comes with the next
    }

    @Override
    public Pause round(Connection connection) throws SQLException {
        Place from = place;
        if (from == null) {
            Duration early = passes.untilNext();
            if (!early.isZero()) {
                return Pause.of(early);
            }
            passes.begin();
            calendars.refresh();
            from = new Place.Preparing(null);
        }
        place = switch (from) {
            case Place.Preparing(var after) -> prepare(connection, after);
            case Place.Ending(var after) -> end(connection, after);
        };
        if (place == null) {
            listener.passed();
            return Pause.of(passes.untilNext());
        }
        return Pause.NONE;
    }

    @Override
    public void failed(Throwable failure) {
        listener.failed(failure);
    }

    // ---- pools that must be there

    private Place prepare(Connection connection, @Nullable DishBaseline after) throws SQLException {
        Instant now = clock.instant();
        List<KeptBaseline> page = baselines.page(connection, after, settings.batch());
        Map<PoolId, Init> wanted = new LinkedHashMap<>();
        for (KeptBaseline kept : page) {
            DishBaseline baseline = kept.baseline();
            for (LocalDate day : plan.toPrepare(calendars.of(baseline.merchant()), now)) {
                OptionalLong total = baseline.totalOn(day);
                if (total.isPresent()) {
                    wanted.put(baseline.poolOn(day), new Init(kept.version(), total.getAsLong()));
                }
            }
        }
        wanted.keySet().removeAll(DayTable.known(connection, wanted.keySet()));
        List<Asked> asked = new ArrayList<>();
        wanted.forEach((pool, init) -> asked.add(new Asked(
                Step.PREPARE,
                pool,
                () -> dayPools.init(init.version(), pool, init.total()).thenApply(outcome -> outcome.map(_ -> true)))));
        askAll(asked);
        return page.size() < settings.batch()
                ? new Place.Ending(null)
                : new Place.Preparing(page.getLast().baseline());
    }

    private record Init(long version, long total) {}

    // ---- pools whose day is over

    private @Nullable Place end(Connection connection, @Nullable DayPool after) throws SQLException {
        Instant now = clock.instant();
        LocalDate until = LocalDate.ofInstant(now, ZoneOffset.UTC).plusDays(FARTHEST_ZONE_DAYS);
        List<DayPool> page = DayTable.notEnded(connection, until, after, settings.batch());
        List<Asked> asked = new ArrayList<>();
        for (DayPool each : page) {
            PoolId pool = each.pool();
            var calendar = calendars.of(pool.merchant());
            if (each.takesHolds()) {
                if (plan.isToClose(each.day(), calendar, now)) {
                    asked.add(new Asked(Step.CLOSE, pool, () -> close(pool)));
                }
            } else if (plan.isToArchive(each.day(), calendar, now) && isDrained(connection, pool)) {
                asked.add(new Asked(Step.ARCHIVE, pool, () -> archive(pool)));
            }
        }
        askAll(asked);
        if (page.size() < settings.batch()) {
            long nanos = System.nanoTime();
            notDrained.values().removeIf(again -> again - nanos <= 0);
            return null;
        }
        return new Place.Ending(page.getLast());
    }

    /** As far as the view shows it; the pool looks closer. One that is not is left alone for a while, for looking costs. */
    private boolean isDrained(Connection connection, PoolId pool) throws SQLException {
        Long again = notDrained.get(pool);
        if (again != null && again - System.nanoTime() > 0) {
            return false;
        }
        if (DayTable.hasOpenReservations(connection, pool)) {
            later(pool);
            listener.notDone(Step.ARCHIVE, pool, "reservations have not ended");
            return false;
        }
        return true;
    }

    private void later(PoolId pool) {
        notDrained.put(pool, System.nanoTime() + settings.archiveAgain().toNanos());
    }

    private CompletionStage<Outcome<Boolean>> close(PoolId pool) {
        // With a blank, which no caller's key has: nobody else can have used it.
        var cause = new Cause("day over", "", Cause.Kind.REQUEST, BaselinePools.ACTOR, Optional.empty());
        return ask(pool, cause, new PoolOperation.Close("day:over"));
    }

    private CompletionStage<Outcome<Boolean>> archive(PoolId pool) {
        String id = "day:" + ids.get();
        var cause = new Cause(id, "", Cause.Kind.REQUEST, BaselinePools.ACTOR, Optional.empty());
        return ask(pool, cause, new PoolOperation.Archive(id));
    }

    private CompletionStage<Outcome<Boolean>> ask(PoolId pool, Cause cause, PoolOperation operation) {
        return pools.ask(pool.value(), cause, operation, settings.patience())
                .thenApply(outcome -> outcome.map(DayWork::isDone));
    }

    private static boolean isDone(Reply<StockPool> reply) {
        return switch (reply.verdict()) {
            case Verdict.Done() -> true;
            case Verdict.Pending() -> false;
            case Verdict.Refused(Refusal reason) -> reason == StockPoolRefusal.POOL_ARCHIVED;
        };
    }

    // ---- asking

    private record Asked(Step step, PoolId pool, Supplier<CompletionStage<Outcome<Boolean>>> how) {}

    /** All of a page at once, and waits for no longer than one of them may take. */
    private void askAll(List<Asked> asked) {
        Map<Asked, CompletableFuture<Outcome<Boolean>>> answers = new LinkedHashMap<>();
        asked.forEach(each -> answers.put(each, answer(each)));
        answers.forEach((each, answer) -> note(each, answer.join()));
    }

    private CompletableFuture<Outcome<Boolean>> answer(Asked asked) {
        CompletionStage<Outcome<Boolean>> answer;
        try {
            answer = asked.how().get();
        } catch (RuntimeException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        return answer.toCompletableFuture()
                .copy()
                .completeOnTimeout(
                        Outcome.unknown("no answer in time"),
                        settings.patience().multipliedBy(2).plusSeconds(1).toMillis(),
                        TimeUnit.MILLISECONDS)
                .exceptionally(failure -> Outcome.unknown("it could not be asked: " + failure));
    }

    private void note(Asked asked, Outcome<Boolean> outcome) {
        String why = switch (outcome) {
            case Outcome.Known<Boolean>(Boolean done) -> done ? "" : "it is not done yet";
            case Outcome.Unknown<Boolean>(String reason) -> reason;
            case Outcome.Unavailable<Boolean>(String reason) -> reason;
        };
        if (why.isEmpty()) {
            listener.done(asked.step(), asked.pool());
            return;
        }
        LOG.info("{} {}: {}; tried again later", asked.step(), asked.pool(), why);
        listener.notDone(asked.step(), asked.pool(), why);
        if (asked.step() == Step.ARCHIVE) {
            later(asked.pool());
        }
    }
}
