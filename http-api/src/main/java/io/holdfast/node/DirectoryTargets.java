package io.holdfast.node;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.http.route.HoldTargets;
import io.holdfast.reservation.domain.OrderType;
import io.holdfast.reservation.domain.PoolChoice;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Terms;
import io.holdfast.reservation.port.PoolDirectory;
import io.holdfast.reservation.port.PoolStanding;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Finds the pool of a hold through this node's directory of pools: the named one, or the merchant's of the business day. */
final class DirectoryTargets implements HoldTargets {

    private final PoolDirectory directory;
    private final BusinessDays days;
    private final InstantSource clock;

    DirectoryTargets(PoolDirectory directory, BusinessDays days, InstantSource clock) {
        this.directory = directory;
        this.days = days;
        this.clock = clock;
    }

    @Override
    public CompletionStage<Target> target(Optional<PoolId> named, Terms terms) {
        PoolChoice choice = named.<PoolChoice>map(PoolChoice.Named::new).orElseGet(() -> derived(terms));
        return directory.standing(choice.pool()).thenApply(outcome -> switch (outcome) {
            case Outcome.Known<PoolStanding>(PoolStanding standing) -> target(choice, standing);
            case Outcome.Unknown<PoolStanding>(String why) -> new Target.Unavailable(why);
            case Outcome.Unavailable<PoolStanding>(String why) -> new Target.Unavailable(why);
        });
    }

    private static Target target(PoolChoice choice, PoolStanding standing) {
        return switch (standing) {
            case PoolStanding.Serving _ -> new Target.Serving(choice);
            case PoolStanding.Suspect _ -> new Target.Suspect(choice);
            case PoolStanding.Unknown _ -> new Target.Unknown(choice);
            case PoolStanding.NotReady _ -> new Target.Unavailable("the pool " + choice.pool() + " is being created");
        };
    }

    private PoolChoice derived(Terms terms) {
        Instant moment =
                switch (terms.orderType()) {
                    case OrderType.InstantOrder _ -> clock.instant();
                    case OrderType.ScheduledOrder(Instant processingTime) -> processingTime;
                };
        String merchant = terms.line().merchant();
        return new PoolChoice.Derived(PoolId.ofDay(merchant, terms.line().dish(), days.at(merchant, moment)));
    }
}
