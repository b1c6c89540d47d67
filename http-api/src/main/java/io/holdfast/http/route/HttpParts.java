package io.holdfast.http.route;

import io.holdfast.engine.machine.Matrix;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.http.health.HealthCheck;
import io.holdfast.http.metrics.HttpMetrics;
import io.holdfast.reconciliation.RunDesk;
import io.holdfast.reservation.day.Baselines;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.entity.GroupDesk;
import io.holdfast.reservation.entity.HoldDesk;
import io.holdfast.reservation.port.PoolDirectory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * What the routes are wired to.
 *
 * @param reservations the reservations, wherever they live
 * @param pools the stock pools, wherever they live
 * @param desk where holds are asked for
 * @param groups where lines that are held together are asked for
 * @param sales where users are let into sales
 * @param directory where pools stand
 * @param numbers what Redis says of a pool, for showing
 * @param baselines what merchants set out to sell by day
 * @param days which day's pool a request means that names none
 * @param search lists reservations
 * @param journals replays the journal of a reservation
 * @param poolJournals replays the journal of a pool
 * @param ledger reads what became of the numbers of pools
 * @param machines what the code of each machine does
 * @param reconciliations comparisons of Redis with the journals
 * @param compensations stock that goes back
 * @param events what operators ask about events of other systems, where this node speaks with Kafka
 * @param orderService what is asked of this node's order service, where it has one
 * @param streams what streams of events are served from
 * @param webhooks what is asked about webhooks
 * @param uploads what uploads may cost
 * @param checks what this node depends on
 * @param metrics counts requests
 * @param clock the wall clock
 * @param attentionAfter how long a hold may wait for news of its order before that is reported; never a reason to cancel
 */
public record HttpParts(
        Entities<Reservation, ReservationCommand> reservations,
        Entities<StockPool, StockPoolCommand> pools,
        HoldDesk desk,
        GroupDesk groups,
        SaleParts sales,
        PoolDirectory directory,
        PoolNumbers numbers,
        Baselines baselines,
        BusinessDays days,
        ReservationSearch search,
        JournalReplay<Reservation> journals,
        JournalReplay<StockPool> poolJournals,
        LedgerReads ledger,
        List<Matrix> machines,
        RunDesk reconciliations,
        CompensationParts compensations,
        Optional<MessagingParts> events,
        Optional<OrderServiceParts> orderService,
        StreamParts streams,
        WebhookParts webhooks,
        BulkLimits uploads,
        List<HealthCheck> checks,
        HttpMetrics metrics,
        InstantSource clock,
        Duration attentionAfter) {
    public HttpParts {
        machines = List.copyOf(machines);
        checks = List.copyOf(checks);
    }
}
