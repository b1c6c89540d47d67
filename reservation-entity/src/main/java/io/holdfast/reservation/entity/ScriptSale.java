package io.holdfast.reservation.entity;

import io.holdfast.lua.Sale;

/** A sale as scripts take it. */
final class ScriptSale {

    private ScriptSale() {}

    static Sale of(io.holdfast.reservation.domain.Sale sale) {
        return new Sale(sale.limit(), sale.opensAt(), sale.closesAt());
    }
}
