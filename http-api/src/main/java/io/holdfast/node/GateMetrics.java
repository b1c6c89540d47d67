package io.holdfast.node;

import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.entity.AdmissionDesk.Answer;
import io.holdfast.reservation.entity.AdmissionListener;
import io.holdfast.reservation.entity.HandOver;
import io.holdfast.reservation.gate.GateListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts what gates answer and what is handed over after them, all of it from the start, as 0; logs what a person should look at. */
final class GateMetrics implements AdmissionListener, GateListener {

    private static final Logger LOG = LoggerFactory.getLogger(GateMetrics.class);

    /** How answers are told apart. */
    private enum Kind {
        QUEUED,
        REPEATED,
        ENDED,
        REQUEST_REUSED,
        NOT_STARTED,
        CLOSED,
        PAUSED,
        LIMIT_REACHED,
        SOLD_OUT,
        HELD_BACK,
        NO_SALE,
        TURNED_AWAY,
        UNSURE,
        UNREACHED
    }

    private final Map<Kind, Counter> answers = new EnumMap<>(Kind.class);
    private final Counter admitted;
    private final Counter reused;
    private final Counter resent;
    private final Counter leasesExpired;
    private final Timer journaled;
    private final Timer notJournaled;
    private volatile long listed;
    private volatile Duration oldest = Duration.ZERO;

    GateMetrics(MeterRegistry registry) {
        for (Kind kind : Kind.values()) {
            answers.put(
                    kind,
                    registry.counter(
                            "holdfast.gate.answers", "answer", kind.name().toLowerCase(Locale.ROOT)));
        }
        admitted = registry.counter("holdfast.reservation.admitted");
        reused = registry.counter("holdfast.request.id.reuse.conflict");
        resent = registry.counter("holdfast.reservation.resend");
        leasesExpired = registry.counter("holdfast.reservation.send.lease.expired");
        journaled = registry.timer("holdfast.gate.told", "journaled", "true");
        notJournaled = registry.timer("holdfast.gate.told", "journaled", "false");
    }

    @Override
    public void answered(Answer answer) {
        Kind kind = kind(answer);
        count(answers.get(kind));
        switch (kind) {
            case QUEUED -> admitted.increment();
            case REQUEST_REUSED -> reused.increment();
            case REPEATED,
                    ENDED,
                    NOT_STARTED,
                    CLOSED,
                    PAUSED,
                    LIMIT_REACHED,
                    SOLD_OUT,
                    HELD_BACK,
                    NO_SALE,
                    TURNED_AWAY,
                    UNSURE,
                    UNREACHED -> {}
        }
    }

    private static void count(@Nullable Counter counter) {
        if (counter != null) {
            counter.increment();
        }
    }

    private static Kind kind(Answer answer) {
        return switch (answer) {
            case Answer.Queued queued -> queued.repeated() ? Kind.REPEATED : Kind.QUEUED;
            case Answer.Ended _ -> Kind.ENDED;
            case Answer.RequestReused _ -> Kind.REQUEST_REUSED;
            case Answer.NotStarted _ -> Kind.NOT_STARTED;
            case Answer.Closed _ -> Kind.CLOSED;
            case Answer.Paused _ -> Kind.PAUSED;
            case Answer.LimitReached _ -> Kind.LIMIT_REACHED;
            case Answer.SoldOut _ -> Kind.SOLD_OUT;
            case Answer.HeldBack _ -> Kind.HELD_BACK;
            case Answer.NoSale _ -> Kind.NO_SALE;
            case Answer.TurnedAway _ -> Kind.TURNED_AWAY;
            case Answer.Unsure _ -> Kind.UNSURE;
            case Answer.Unreached _ -> Kind.UNREACHED;
        };
    }

    @Override
    public void told(boolean known, Duration took) {
        (known ? journaled : notJournaled).record(took);
    }

    @Override
    public void handedOver(PoolId pool, HandOver.Round round, int claimedAgain) {
        resent.increment(round.claimed().size() - round.left().size());
        leasesExpired.increment(claimedAgain);
        if (!round.left().isEmpty()) {
            LOG.warn(
                    "{} of {} holds of {} could not be handed over; they are claimed again when their lease is over.",
                    round.left().size(),
                    round.claimed().size(),
                    pool);
        }
    }

    @Override
    public void notHandedOver(PoolId pool, String why) {
        LOG.info("What {} has let in was not gone through: {}; tried again later", pool, why);
    }

    @Override
    public void passed(long holds, Duration age) {
        listed = holds;
        oldest = age;
    }

    @Override
    public void failed(Throwable failure) {
        LOG.warn("The handing over of what gates let in failed and begins again after a pause.", failure);
    }

    /** Holds that no reservation has heard of, as the latest pass over all sales met them. */
    long listed() {
        return listed;
    }

    /** How long ago the oldest hold that was due then was let in. */
    Duration oldest() {
        return oldest;
    }
}
