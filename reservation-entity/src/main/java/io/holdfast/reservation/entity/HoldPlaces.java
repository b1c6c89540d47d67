package io.holdfast.reservation.entity;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.reservation.domain.Buckets;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Sale;
import io.holdfast.reservation.domain.SaleKeys;
import io.holdfast.reservation.port.PoolDirectory;
import io.holdfast.reservation.port.PoolStanding;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** In which pool a hold of a sale belongs that does not come in by the gate: of one with buckets, in the user's. */
public final class HoldPlaces {

    private final PoolDirectory pools;
    private final SaleKeys keys;
    private final SaleBuckets buckets;

    /** By what this node knows of the pools. */
    public HoldPlaces(PoolDirectory pools, SaleKeys keys, SaleBuckets buckets) {
        this.pools = pools;
        this.keys = keys;
        this.buckets = buckets;
    }

    /**
     * The pool to hold units in. Where it has too few they are brought there first, if the sale has them; if not, the hold will be short.
     *
     * @return Unavailable while that can't be told; never completes exceptionally
     */
    public CompletionStage<Outcome<PoolId>> of(PoolId first, String user, long units) {
        return Outcomes.then(pools.standing(first), standing -> switch (standing) {
            case PoolStanding.Serving serving ->
                serving.sale()
                        .filter(sale -> sale.buckets().isPresent())
                        .map(sale -> home(first, sale, sale.buckets().get(), user, units))
                        .orElseGet(() -> Outcomes.done(Outcome.known(first)));
            // It is not known whether it has buckets, and where a hold was asked for first it stays.
            case PoolStanding.NotReady _, PoolStanding.Suspect _, PoolStanding.Rebuilding _ ->
                Outcomes.done(Outcome.unavailable("pool " + first + " does not serve"));
            case PoolStanding.Archived _, PoolStanding.Unknown _ -> Outcomes.done(Outcome.known(first));
        });
    }

    private CompletionStage<Outcome<PoolId>> home(PoolId first, Sale sale, Buckets all, String user, long units) {
        if (!keys.missing(List.of(sale.keyVersion())).isEmpty()) {
            return Outcomes.done(Outcome.unavailable("this node has no secret of version " + sale.keyVersion()));
        }
        int bucket = keys.bucket(sale.keyVersion(), first.merchant(), first.dish(), user, all.count());
        PoolId home = all.pool(first, bucket);
        return buckets.bring(first, all, home, units).thenApply(brought -> switch (brought) {
            case SaleBuckets.Brought.There _, SaleBuckets.Brought.TooFew _ -> Outcome.known(home);
            case SaleBuckets.Brought.Unsettled(String why) -> Outcome.unavailable(why);
            case SaleBuckets.Brought.Unserved(PoolId unserved) ->
                Outcome.unavailable("Redis does not serve " + unserved);
        });
    }
}
