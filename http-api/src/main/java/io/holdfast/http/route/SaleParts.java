package io.holdfast.http.route;

import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.entity.AdmissionDesk;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * What routes of sales are wired to.
 *
 * @param gate where users are let in
 * @param newestKey the version of the secret that a sale which begins now keeps; empty where this node has no secret
 * @param backlog how many holds of a pool wait for their reservations
 */
public record SaleParts(Admissions gate, Optional<Integer> newestKey, Backlog backlog) {

    /** Lets users in, or says why not. */
    @FunctionalInterface
    public interface Admissions {
        /** As {@link AdmissionDesk#admit}. */
        CompletionStage<AdmissionDesk.Answer> admit(AdmissionDesk.Wish wish, Duration patience);
    }

    /** How many holds of a pool were let in and have not been taken over by their reservations. */
    @FunctionalInterface
    public interface Backlog {
        /** Empty when Redis does not say. Never fails, and never takes long. */
        CompletionStage<Optional<Long>> of(PoolId pool);
    }
}
