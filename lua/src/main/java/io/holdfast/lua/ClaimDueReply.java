package io.holdfast.lua;

import java.util.List;
import java.util.Optional;

/** What {@code claim_due} answered. */
public sealed interface ClaimDueReply permits ClaimDueReply.Claimed, GuardRefusal.Malformed, GuardRefusal.PoolMissing {

    /**
     * CLAIMED: whoever asked hands these over; no one else claims them before the lease is over.
     *
     * @param trusted whether a script that moves something would get past the trust guard
     * @param listed how many are listed in all, these among them
     * @param holds the longest due first
     */
    record Claimed(boolean trusted, long listed, List<Due> holds) implements ClaimDueReply {
        public Claimed {
            holds = List.copyOf(holds);
        }
    }

    /**
     * One of them.
     *
     * @param admission empty where Redis has lost it: what the list says of this reservation can't be handed over
     */
    record Due(String reservation, Optional<Admission> admission) {}
}
