package io.holdfast.node;

import io.holdfast.compensation.domain.CompensationPolicies;
import io.holdfast.config.DaysSection;
import io.holdfast.config.EntitiesSection;
import io.holdfast.config.GateSection;
import io.holdfast.config.HttpSection;
import io.holdfast.config.OrderServiceSection;
import io.holdfast.config.OrdersSection;
import io.holdfast.config.PostgresSection;
import io.holdfast.config.ReconciliationSection;
import io.holdfast.config.ReservationSection;
import io.holdfast.config.Settings;
import io.holdfast.config.SweeperSection;
import io.holdfast.config.UploadsSection;
import io.holdfast.engine.effect.Backoff;
import io.holdfast.engine.effect.RetryPolicy;
import io.holdfast.engine.effect.RetryPolicy.AfterLimit;
import io.holdfast.engine.entity.CoreLimits;
import io.holdfast.engine.fleet.FleetSettings;
import io.holdfast.engine.projection.ProjectionSettings;
import io.holdfast.engine.runtime.EngineSettings;
import io.holdfast.engine.sweep.AheadSettings;
import io.holdfast.engine.sweep.SweepSettings;
import io.holdfast.http.route.BulkLimits;
import io.holdfast.http.route.HttpSettings;
import io.holdfast.json.JsonLimits;
import io.holdfast.order.domain.OrderPolicies;
import io.holdfast.reconciliation.ReconciliationSettings;
import io.holdfast.reconciliation.RunRequest;
import io.holdfast.reservation.day.DaySettings;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.InquiryPolicy;
import io.holdfast.reservation.entity.AdmissionSettings;
import java.time.Duration;
import java.util.Optional;

/** What the settings mean to each part, in its own words. */
final class Parts {

    private static final double DOUBLED = 2;
    private static final double JITTER = 0.2;
    /** An attempt must not be given up before the question is. */
    private static final Duration INQUIRY_MARGIN = Duration.ofSeconds(5);

    private static final int POOLS_TOGETHER = 64;
    /** How long one comparison of a pool waits for the view to catch up: less than PostgreSQL lets a session be silent. */
    private static final Duration VIEW_PATIENCE = Duration.ofSeconds(15);

    private Parts() {}

    static EffectPolicies policies(Settings settings) {
        ReservationSection section = settings.reservation();
        var backoff = new Backoff(section.retryFirst(), section.retryLongest(), DOUBLED, JITTER);
        return new EffectPolicies(
                new RetryPolicy(
                        section.attemptTimeout(), backoff, section.stalledAfter(), AfterLimit.RECORD_AND_KEEP_TRYING),
                new RetryPolicy(
                        section.verifyTimeout(), backoff, section.stalledAfter(), AfterLimit.RECORD_AND_KEEP_TRYING),
                section.verifyAgainAfter(),
                switch (section.rebuild()) {
                    case AUTOMATIC -> EffectPolicies.Rebuild.AUTOMATIC;
                    case ON_REQUEST -> EffectPolicies.Rebuild.ON_REQUEST;
                },
                inquiry(settings.orders()),
                section.attentionAfter());
    }

    static CompensationPolicies compensations(Settings settings) {
        return new CompensationPolicies(
                policies(settings).script(), settings.compensation().secondPerson());
    }

    private static InquiryPolicy inquiry(OrdersSection section) {
        var waits = new Backoff(section.askFirst(), section.askLongest(), DOUBLED, 0);
        var asking = new InquiryPolicy(
                new RetryPolicy(
                        section.timeout().plus(INQUIRY_MARGIN),
                        waits,
                        section.asks(),
                        AfterLimit.RECORD_AND_KEEP_TRYING),
                waits,
                section.asks());
        return section.url().isPresent() || section.service().builtIn() ? asking : asking.silent();
    }

    static OrderPolicies orders(Settings settings) {
        OrderServiceSection section = settings.orders().service();
        var backoff = new Backoff(section.retryFirst(), section.retryLongest(), DOUBLED, JITTER);
        return new OrderPolicies(
                new RetryPolicy(
                        section.transactionTimeout().plus(INQUIRY_MARGIN),
                        backoff,
                        section.stalledAfter(),
                        AfterLimit.RECORD_AND_KEEP_TRYING),
                new RetryPolicy(
                        section.payments()
                                .timeout()
                                .plus(section.transactionTimeout())
                                .plus(INQUIRY_MARGIN),
                        backoff,
                        section.stalledAfter(),
                        AfterLimit.RECORD_AND_KEEP_TRYING),
                section.payWithin(),
                section.lookForOrder(),
                switch (section.payments().latePayment()) {
                    case REFUND -> OrderPolicies.LatePayment.REFUND;
                    case REACQUIRE -> OrderPolicies.LatePayment.REACQUIRE;
                });
    }

    static EngineSettings engine(Settings settings) {
        EntitiesSection section = settings.entities();
        EngineSettings defaults = EngineSettings.defaults();
        CoreLimits limits = new CoreLimits(
                section.waiting(),
                section.wakeHorizon(),
                defaults.limits().wakeAgain(),
                section.linger(),
                section.lingerAtRest());
        return new EngineSettings(
                limits,
                section.shards(),
                Optional.empty(),
                defaults.stashCapacity(),
                section.restartFirst(),
                section.restartLongest(),
                settings.http().patience().most(),
                defaults.askMargin(),
                section.outstanding(),
                section.resting(),
                defaults.unreadableLinger());
    }

    static FleetSettings fleet(Settings settings) {
        PostgresSection.Pools pools = settings.postgres().pools();
        FleetSettings defaults = FleetSettings.standard();
        return new FleetSettings(
                defaults.standby(),
                pools.statementTimeout(),
                pools.transactionTimeout(),
                defaults.sessionTimeout(),
                defaults.backoff());
    }

    static ProjectionSettings projections(Settings settings) {
        ProjectionSettings defaults = ProjectionSettings.standard();
        return new ProjectionSettings(
                settings.projections().batch(),
                settings.projections().gather(),
                settings.projections().pollLongest(),
                settings.projections().workers(),
                defaults.rowAttempts(),
                defaults.parkedLimit(),
                defaults.parkedRetry(),
                defaults.ackTimeout());
    }

    static SweepSettings sweeper(Settings settings) {
        return new SweepSettings(
                settings.sweeper().grace(),
                settings.sweeper().interval(),
                SweepSettings.standard().batch(),
                settings.sweeper().wakesPerSecond());
    }

    static AheadSettings ahead(Settings settings) {
        SweeperSection.Ahead section = settings.sweeper().ahead();
        return new AheadSettings(
                section.window(),
                section.interval(),
                section.lead(),
                section.timers(),
                AheadSettings.standard().batch());
    }

    static AdmissionSettings admissions(Settings settings) {
        GateSection section = settings.gate();
        return new AdmissionSettings(
                section.decideWithin(),
                section.handOverAfter(),
                switch (section.answerAfter()) {
                    case ADMIT -> AdmissionSettings.AnswerAfter.ADMIT;
                    case ADOPT -> AdmissionSettings.AnswerAfter.ADOPT;
                },
                section.rememberSoldOut(),
                section.adopting(),
                settings.reservation().reopenOver());
    }

    static DaySettings days(Settings settings) {
        DaysSection section = settings.days();
        return new DaySettings(
                section.prepareAhead(),
                section.closeAfter(),
                section.archiveAfter(),
                section.archiveAgain(),
                section.interval(),
                settings.http().patience().usual(),
                POOLS_TOGETHER);
    }

    static ReconciliationSettings reconciliation(Settings settings) {
        ReconciliationSection section = settings.reconciliation();
        return new ReconciliationSettings(
                section.every().isZero()
                        ? Optional.empty()
                        : Optional.of(new ReconciliationSettings.Schedule(
                                section.every(), section.fullEvery(), mode(section.mode()))),
                section.margin(),
                section.poolsAtOnce(),
                section.reservationsPerSecond(),
                section.repairsPerSecond(),
                section.mostFindings(),
                VIEW_PATIENCE,
                section.keep());
    }

    private static RunRequest.Mode mode(ReconciliationSection.Mode mode) {
        return switch (mode) {
            case DRY_RUN -> RunRequest.Mode.DRY_RUN;
            case REPAIR -> RunRequest.Mode.REPAIR;
        };
    }

    static BulkLimits uploads(Settings settings) {
        UploadsSection section = settings.uploads();
        return new BulkLimits(section.most(), section.body(), section.lines(), section.line());
    }

    static HttpSettings http(Settings settings) {
        HttpSection section = settings.http();
        HttpSection.Limits limits = section.limits();
        HttpSettings.Patience patience = HttpSettings.Patience.DEFAULT;
        return new HttpSettings(
                section.host(),
                section.port(),
                new HttpSettings.Limits(
                        limits.body(),
                        limits.bodyTime(),
                        limits.headTime(),
                        JsonLimits.DEFAULT,
                        limits.connections(),
                        limits.backlog(),
                        limits.queries(),
                        limits.queryThreads(),
                        limits.orderLines(),
                        limits.linesTogether()),
                new HttpSettings.Patience(
                        section.patience().usual(),
                        section.patience().most(),
                        atLeast(patience.grace(), EngineSettings.defaults().askMargin()),
                        patience.retryAfter()),
                HttpAccess.of(section),
                HttpAccess.rates(section.rates()));
    }

    private static Duration atLeast(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? other : one;
    }
}
