package io.holdfast.messaging.out;

import io.holdfast.engine.entity.Entry;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.FenceRepair;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.PoolOperation;
import io.holdfast.reservation.domain.StockMove;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What an entry of a pool's journal announces. Pure, as {@link ReservationMessages}. */
final class PoolMessages {

    private final JournalStep<StockPool, StockPoolEvent> step;
    private final StockPool before;
    private final StockPool after;
    private final List<OutgoingMessage> messages = new ArrayList<>();

    private PoolMessages(JournalStep<StockPool, StockPoolEvent> step) {
        this.step = step;
        this.before = step.before();
        this.after = step.after();
    }

    /** The messages of one entry. */
    static List<OutgoingMessage> of(JournalStep<StockPool, StockPoolEvent> step) {
        var writing = new PoolMessages(step);
        switch (step.entry()) {
            case Entry.Happened<StockPoolEvent>(StockPoolEvent event, var _) -> writing.happened(event);
            case Entry.EffectStalled<StockPoolEvent> stalled ->
                writing.lifecycle("InventoryOperationDead", Stalls.data(stalled));
        }
        return List.copyOf(writing.messages);
    }

    private void happened(StockPoolEvent event) {
        switch (event) {
            case StockPoolEvent.PoolInitialized(String operationId, Books books) ->
                moved("StockBucketInitialized", "INIT", operationId, StockMove.begun(books), books, new Data());
            case StockPoolEvent.TotalAdjusted(String operationId, long baselineVersion, Books books) ->
                moved(
                        "StockBaselineAdjusted",
                        "ADJUST",
                        operationId,
                        StockMove.adjusted(totalBefore(), books),
                        books,
                        new Data().with("baseline_version", baselineVersion));
            case StockPoolEvent.PoolPaused(var _, Books books) ->
                stands("StockPoolPaused", Optional.of(books), new Data());
            case StockPoolEvent.PoolResumed(var _, Books books) ->
                stands("StockPoolResumed", Optional.of(books), new Data());
            case StockPoolEvent.PoolClosed(var _, Books books) ->
                stands("StockPoolClosed", Optional.of(books), new Data());
            case StockPoolEvent.PoolArchived(var _, Books books) ->
                stands("StockPoolArchived", Optional.of(books), new Data());
            // What the journals add up to was right: only Redis moved, to these numbers.
            case StockPoolEvent.StockRepaired(String operationId, Books books) ->
                moved("StockRepaired", "REPAIR", operationId, new StockMove(0, 0, 0, 0, 0), books, repair(operationId));
            case StockPoolEvent.SuspicionRaised(String evidence, var _) ->
                stands("StockPoolSuspected", Optional.empty(), new Data().with("reason", evidence));
            case StockPoolEvent.PoolReopened(var _, Optional<Books> books) ->
                stands("StockPoolReopened", books, new Data());
            // Under another epoch than before: whoever keeps numbers begins anew with these.
            case StockPoolEvent.PoolRebuilt(var _, Books books, var _, var _) ->
                stands("StockPoolReopened", Optional.of(books), new Data());
            case StockPoolEvent.ContradictionNoticed(String causeId) ->
                lifecycle("InventoryEventContradicted", new Data().with("cause_id", causeId));
            case StockPoolEvent.OperationAccepted _,
                    StockPoolEvent.UnitsDelivered _,
                    StockPoolEvent.KeysLetGo _,
                    StockPoolEvent.OpeningBegun _,
                    StockPoolEvent.OperationRefused _,
                    StockPoolEvent.VerificationStarted _,
                    StockPoolEvent.VerificationDiffered _,
                    StockPoolEvent.RebuildStarted _ -> {}
        }
    }

    private Data repair(String operationId) {
        return before.trusted()
                .flatMap(kept -> kept.work().waiting(operationId))
                .map(operation -> operation instanceof PoolOperation.Repair repair
                        ? new Data()
                                .with("rule", repair.rule())
                                .with("reservation_id", repair.fence().map(FenceRepair::reservationId))
                        : new Data())
                .orElseGet(Data::new);
    }

    private long totalBefore() {
        return before.totals()
                .map(StockPool.Baseline::total)
                .orElseThrow(
                        () -> new IllegalStateException(step.eventId() + ": a pool without a baseline was adjusted"));
    }

    private void moved(String type, String action, String operationId, StockMove move, Books books, Data more) {
        stock(
                type,
                new Data()
                        .with("action", action)
                        .with("operation_id", operationId)
                        .with(more)
                        .with(MoveData.of(move, books)));
    }

    private void stands(String type, Optional<Books> books, Data more) {
        Data data = new Data().with("status", after.status().name()).with(more);
        books.ifPresent(numbers -> data.with(MoveData.numbers(numbers)));
        stock(type, data);
    }

    private void stock(String type, Data more) {
        messages.add(step.message(
                OutTopic.STOCK_CHANGE,
                "/stock",
                type,
                after.id(),
                after.id(),
                new Data().with(pool(id())).with(more)));
    }

    /** Of no order, so it is keyed by the pool. */
    private void lifecycle(String type, Data more) {
        messages.add(step.message(
                OutTopic.LIFECYCLE,
                "",
                type,
                after.id(),
                after.id(),
                new Data()
                        .with("pool", after.id())
                        .with("status", after.status().name())
                        .with(more)));
    }

    private PoolId id() {
        return PoolId.parse(after.id());
    }

    /** A pool and the parts of its name. */
    static Data pool(PoolId pool) {
        return new Data()
                .with("pool", pool.value())
                .with("merchant", pool.merchant())
                .with("dish", pool.dish())
                .with("stock_date", pool.third());
    }
}
