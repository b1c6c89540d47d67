package io.holdfast.reservation.ledger;

import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.StockMove;
import java.util.Optional;

/**
 * One change of a pool's numbers.
 *
 * @param pool pool id
 * @param action what was done
 * @param operationId under which it happens once
 * @param reservationId whose it was; empty where the pool itself was changed
 * @param orderId of that reservation
 * @param quantity units it was about
 * @param move what it changed
 * @param after the numbers after it
 * @param again whether this operation has changed the pool before, which can't be
 */
public record LedgerChange(
        String pool,
        LedgerAction action,
        String operationId,
        Optional<String> reservationId,
        Optional<String> orderId,
        long quantity,
        StockMove move,
        Books after,
        boolean again) {}
