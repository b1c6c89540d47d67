package io.holdfast.http.route;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.GuardRefusal;
import io.holdfast.lua.LookReply;
import io.holdfast.lua.LookRequest;
import io.holdfast.lua.SoldOutReply;
import io.holdfast.lua.SoldOutRequest;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.DenialReason;
import io.holdfast.reservation.domain.GroupLine;
import io.holdfast.reservation.domain.OrderAnswer;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationEffect;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.domain.StockPoolEffect;
import io.holdfast.reservation.domain.StockPoolRefusal;
import io.holdfast.reservation.entity.HoldDesk;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/** Stock as the scripts keep it, as far as routes can tell: every operation is asked for once here, so it needs no fences. */
final class TestStock implements HoldDesk.Redis {

    private static final class Numbers {
        private long version;
        private long total;
        private long reserved;
        private long sold;
        private String status = "OPEN";
        private long epoch = 1;

        private Books after() {
            version++;
            return Books.expected(epoch, version, total, reserved, sold);
        }
    }

    private final Map<PoolId, Numbers> pools = new HashMap<>();
    private final Map<String, Long> held = new HashMap<>();
    private final Set<String> confirmed = new HashSet<>();
    private final Set<String> rejected = new HashSet<>();
    private final Map<String, Boolean> fitting = new HashMap<>();
    private boolean silent;
    private boolean restarted;
    private boolean lost;

    /** From now on no effect is answered: what is asked for stays open. */
    synchronized void fallSilent() {
        silent = true;
    }

    /** Redis is another process now, and serves no pool before it is verified. */
    synchronized void restart() {
        restarted = true;
    }

    /** Redis has no pool any more, until it is loaded anew. */
    synchronized void loseAll() {
        lost = true;
    }

    synchronized CompletionStage<Outcome<ReservationCommand>> perform(ReservationEffect effect) {
        if (silent) {
            return new CompletableFuture<>();
        }
        Numbers pool = pools.computeIfAbsent(effect.pool(), _ -> new Numbers());
        return CompletableFuture.completedFuture(Outcome.known(
                switch (effect) {
                    case ReservationEffect.TryHold hold -> tryHold(pool, hold.reservationId(), hold.quantity());
                    case ReservationEffect.TryGroup group -> tryGroup(pool, group);
                    case ReservationEffect.ConfirmHold confirm -> {
                        long whole = held.get(confirm.reservationId());
                        pool.reserved -= whole;
                        pool.sold += confirm.quantity();
                        confirmed.add(confirm.reservationId());
                        yield new ReservationCommand.ConfirmAnswered(
                                confirm.quantity(), whole - confirm.quantity(), pool.after());
                    }
                    case ReservationEffect.ReleaseHold release -> {
                        pool.reserved -= release.expectHeld();
                        yield new ReservationCommand.ReleaseAnswered(release.expectHeld(), pool.after());
                    }
                    case ReservationEffect.HandOff _ -> new ReservationCommand.HandOffAnswered();
                    case ReservationEffect.RequestOrder _ -> new ReservationCommand.OrderRequestAnswered();
                    case ReservationEffect.ReturnAdmission _ ->
                        throw new AssertionError("no gate lets in here what goes back: " + effect);
                    case ReservationEffect.AwaitCompensation _ ->
                        throw new AssertionError("nothing is contradicted here: " + effect);
                    case ReservationEffect.AskOrder question ->
                        new ReservationCommand.OrderAnswered(question.number(), OrderAnswer.UNREACHED);
                    case ReservationEffect.RefundHold refund -> {
                        giveBack(
                                pool,
                                refund.reservationId(),
                                refund.refund().quantity(),
                                refund.refund().restock());
                        yield new ReservationCommand.RefundAnswered(
                                refund.refund().id(), pool.after());
                    }
                }));
    }

    private void giveBack(Numbers pool, String reservation, long quantity, boolean restock) {
        if (confirmed.contains(reservation)) {
            pool.sold -= restock ? quantity : 0;
        } else {
            pool.reserved -= quantity;
            pool.sold += restock ? 0 : quantity;
            held.merge(reservation, -quantity, Long::sum);
        }
    }

    private ReservationCommand tryHold(Numbers pool, String reservation, long quantity) {
        rejected.add(reservation);
        if (pool.status.equals("CLOSED")) {
            return turned(DenialReason.CLOSED, pool);
        }
        if (pool.status.equals("PAUSED")) {
            return turned(DenialReason.PAUSED, pool);
        }
        if (pool.total - pool.reserved - pool.sold < quantity) {
            return turned(DenialReason.SHORT, pool);
        }
        rejected.remove(reservation);
        pool.reserved += quantity;
        held.put(reservation, quantity);
        return new ReservationCommand.HoldAnswered(new ReservationCommand.HoldAnswer.Granted(pool.after()));
    }

    /** The first line that comes decides for all, by its own pool and the others'. */
    private ReservationCommand tryGroup(Numbers pool, ReservationEffect.TryGroup effect) {
        boolean fits = fitting.computeIfAbsent(
                effect.group().id(),
                _ -> effect.group().lines().stream()
                        .collect(Collectors.groupingBy(
                                GroupLine::pool,
                                Collectors.summingLong(line -> line.terms().quantity())))
                        .entrySet()
                        .stream()
                        .allMatch(sum -> pools.get(sum.getKey()).total
                                        - pools.get(sum.getKey()).reserved
                                        - pools.get(sum.getKey()).sold
                                >= sum.getValue()));
        long quantity = effect.group()
                .line(effect.reservationId())
                .orElseThrow()
                .terms()
                .quantity();
        if (fits) {
            return tryHold(pool, effect.reservationId(), quantity);
        }
        long available = pool.total - pool.reserved - pool.sold;
        LongSummaryStatistics own = effect.group().lines().stream()
                .filter(line -> line.pool().equals(effect.pool()))
                .collect(Collectors.summarizingLong(line -> line.terms().quantity()));
        boolean isShort = own.getMax() > available ? quantity > available : own.getSum() > available;
        return turned(isShort ? DenialReason.SHORT : DenialReason.OTHER_LINE, pool);
    }

    private static ReservationCommand turned(DenialReason reason, Numbers pool) {
        return new ReservationCommand.HoldAnswered(new ReservationCommand.HoldAnswer.Turned(
                reason, Books.expected(pool.epoch, pool.version, pool.total, pool.reserved, pool.sold)));
    }

    /** What Redis would say of the pool. */
    synchronized PoolNumbers.Answer seen(PoolId pool) {
        if (silent) {
            return new PoolNumbers.Silent();
        }
        Numbers numbers = pools.get(pool);
        return numbers == null || lost
                ? new PoolNumbers.NotThere()
                : new PoolNumbers.Seen(
                        numbers.status,
                        !restarted,
                        Books.expected(numbers.epoch, numbers.version, numbers.total, numbers.reserved, numbers.sold));
    }

    @Override
    public synchronized CompletionStage<Outcome<SoldOutReply>> soldOut(SoldOutRequest request) {
        Numbers pool = pools.get(PoolId.parse(request.pool()));
        if (silent || pool == null) {
            return CompletableFuture.completedStage(Outcome.unavailable("Redis does not answer"));
        }
        boolean known = rejected.contains(request.reservation()) || held.containsKey(request.reservation());
        boolean soldOut =
                pool.status.equals("OPEN") && !known && pool.total - pool.reserved - pool.sold < request.quantity();
        return CompletableFuture.completedStage(
                Outcome.known(soldOut ? new SoldOutReply.SoldOut() : new SoldOutReply.Ask()));
    }

    /** Of the pool of the day before, which is not there. */
    @Override
    public CompletionStage<Outcome<LookReply>> look(LookRequest request) {
        return CompletableFuture.completedStage(Outcome.known(new GuardRefusal.PoolMissing()));
    }

    synchronized CompletionStage<Outcome<StockPoolCommand>> perform(StockPoolEffect effect) {
        if (silent) {
            return new CompletableFuture<>();
        }
        Numbers pool = pools.computeIfAbsent(effect.pool(), _ -> new Numbers());
        StockPoolCommand answer = switch (effect) {
            case StockPoolEffect.InitPool init -> {
                pool.total = init.init().units();
                yield new StockPoolCommand.OperationDone(init.key(), pool.after());
            }
            case StockPoolEffect.AdjustPool adjust -> {
                pool.total = adjust.newTotal();
                yield new StockPoolCommand.OperationDone(adjust.key(), pool.after());
            }
            case StockPoolEffect.DeliverUnits deliver ->
                new StockPoolCommand.UnitsTaken(deliver.give().operationId());
            case StockPoolEffect.SetPoolStatus set -> {
                pool.status = set.target().name();
                yield new StockPoolCommand.OperationDone(set.key(), pool.after());
            }
            case StockPoolEffect.ArchivePool archive -> {
                if (pool.reserved > 0) {
                    yield new StockPoolCommand.OperationTurnedDown(archive.key(), StockPoolRefusal.NOT_DRAINED);
                }
                pool.status = "ARCHIVED";
                yield new StockPoolCommand.OperationDone(archive.key(), pool.after());
            }
            case StockPoolEffect.LetKeysGo _ -> new StockPoolCommand.KeysExpire(Instant.EPOCH);
            // Nothing here differs from its journal.
            case StockPoolEffect.RepairPool repair ->
                new StockPoolCommand.OperationTurnedDown(
                        repair.repair().operationId(), StockPoolRefusal.REPAIR_OVERTAKEN);
            case StockPoolEffect.VerifyPool verify -> {
                restarted = false;
                lost = false;
                yield new StockPoolCommand.VerificationAnswered(
                        verify.number(), new StockPoolCommand.Finding.Equal(pool.after()));
            }
            case StockPoolEffect.RebuildPool rebuild -> {
                pool.epoch = rebuild.epoch();
                yield new StockPoolCommand.RebuildAnswered(
                        rebuild.number(), new StockPoolCommand.RebuildResult.Opened(pool.after(), held.size()));
            }
        };
        return CompletableFuture.completedFuture(Outcome.known(answer));
    }
}
