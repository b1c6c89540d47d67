package io.holdfast.reservation.domain;

import io.holdfast.reservation.domain.PoolOperation.Give;
import io.holdfast.reservation.domain.PoolOperation.Receive;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a pool keeps of moves of units that have ended: as little as is needed to make each of them once, however late it is asked for again.
 * A sale has as many moves as units that come back, so unlike other operations they are not kept for ever.
 *
 * <p>What comes in has a number that rises from move to move of the pool that gives, and that pool has one on its way at a time. So one
 * number for each of the other pools tells a repeat for ever.
 *
 * <p>Who asks a pool to give says which baseline version was seen. The latest moves are kept; whoever asks again for one that is not has
 * seen a version too old for a new one. So what is forgotten is never made again, and is answered so.
 *
 * @param given the latest, oldest first
 * @param received by the id of the pool that gave, the number of the latest move that came from there
 */
public record RecentMoves(List<Given> given, Map<String, Long> received) {

    /** A move is forgotten when the baseline has had so many versions since, and so far back may be what whoever asks has seen. */
    static final long VERSIONS = 32;

    static final RecentMoves NONE = new RecentMoves(List.of(), Map.of());

    public RecentMoves {
        given = List.copyOf(given);
        received = Map.copyOf(received);
    }

    /**
     * A move that has ended.
     *
     * @param refusal why it did not happen; empty when it did
     * @param version of the baseline then
     */
    public record Given(Give give, Optional<StockPoolRefusal> refusal, long version) {}

    /** A move of this id that is remembered. */
    Optional<Given> given(String operationId) {
        return given.stream()
                .filter(one -> one.give().operationId().equals(operationId))
                .findFirst();
    }

    /** Whether the journal has had these units before. */
    boolean has(Receive receive) {
        Long latest = received.get(receive.from().value());
        return latest != null
                && receive.number().isPresent()
                && receive.number().getAsLong() <= latest;
    }

    /** Whether it may have been made, and be forgotten, or names a version that no pool can have had yet. */
    static boolean isOutOfSight(Give give, long version) {
        return give.seen().isPresent()
                && (give.seen().getAsLong() + VERSIONS < version || give.seen().getAsLong() > version + 1);
    }

    RecentMoves with(Given ended) {
        List<Given> kept = new ArrayList<>(given.size() + 1);
        given.stream()
                .filter(one -> one.version() + VERSIONS >= ended.version())
                .forEach(kept::add);
        kept.add(ended);
        // Of those that did not happen one may be asked for again as often as it likes: they are kept for whoever waits
        // to hear why.
        if (kept.stream().filter(one -> one.refusal().isPresent()).count() > VERSIONS) {
            kept.stream().filter(one -> one.refusal().isPresent()).findFirst().ifPresent(kept::remove);
        }
        return new RecentMoves(kept, received);
    }

    RecentMoves with(Receive receive) {
        if (receive.number().isEmpty()) {
            return this;
        }
        Map<String, Long> latest = new HashMap<>(received);
        latest.merge(receive.from().value(), receive.number().getAsLong(), Math::max);
        return new RecentMoves(given, latest);
    }
}
