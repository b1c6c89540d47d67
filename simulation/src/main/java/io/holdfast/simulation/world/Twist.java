package io.holdfast.simulation.world;

import io.holdfast.compensation.domain.CompensationCommand;
import io.holdfast.compensation.domain.CompensationEffect;
import io.holdfast.engine.runtime.EffectPerformer;
import io.holdfast.lua.StockScripts;
import io.holdfast.order.port.OrderBooks;
import io.holdfast.order.port.PaymentProvider;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationEffect;
import io.holdfast.reservation.domain.StockPoolCommand;
import io.holdfast.reservation.domain.StockPoolEffect;
import io.holdfast.reservation.port.OrderDirectory;
import io.holdfast.reservation.port.OrderRequests;
import io.holdfast.reservation.port.PoolReservations;
import io.holdfast.reservation.port.SiblingPools;
import io.holdfast.reservation.port.VerificationNotice;

/**
 * What is done otherwise in a world than in the product, so that it is seen whether a claim notices. This one does nothing otherwise. Each
 * method is given a part of the world and gives back what stands in its place.
 */
public class Twist {

    /** Nothing is done otherwise. */
    public static final Twist NONE = new Twist();

    /** For wrong variants. */
    protected Twist() {}

    /** The text of a script as it is run. */
    public String script(String name, String text) {
        return text;
    }

    /** The stock scripts as the fleet reaches them. */
    public StockScripts scripts(SaleDay day, StockScripts scripts) {
        return scripts;
    }

    /** What reservations owe is performed by this. */
    public EffectPerformer<ReservationEffect, ReservationCommand> reservations(
            SaleDay day, EffectPerformer<ReservationEffect, ReservationCommand> performer) {
        return performer;
    }

    /** What pools owe is performed by this. */
    public EffectPerformer<StockPoolEffect, StockPoolCommand> pools(
            SaleDay day, EffectPerformer<StockPoolEffect, StockPoolCommand> performer) {
        return performer;
    }

    /** What compensations owe is performed by this. */
    public EffectPerformer<CompensationEffect, CompensationCommand> compensations(
            SaleDay day, EffectPerformer<CompensationEffect, CompensationCommand> performer) {
        return performer;
    }

    /** The books of orders, next to the fleet: faults of the network are in front of them. */
    public OrderBooks books(SaleDay day, OrderBooks books) {
        return books;
    }

    /** The payment provider, likewise. */
    public PaymentProvider provider(SaleDay day, PaymentProvider provider) {
        return provider;
    }

    /** Who asks for orders of admitted holds. */
    public OrderRequests requests(SaleDay day, OrderRequests requests) {
        return requests;
    }

    /** Who is asked for news of an overdue hold. */
    public OrderDirectory directory(SaleDay day, OrderDirectory directory) {
        return directory;
    }

    /** Who tells reservations that their pool is compared or loaded anew. */
    public VerificationNotice notice(SaleDay day, VerificationNotice notice) {
        return notice;
    }

    /** The reservations of a pool, as whoever compares, loads or archives it reads them. */
    public PoolReservations shown(SaleDay day, PoolReservations shown) {
        return shown;
    }

    /** The other pools of a sale whose stock lies in several. */
    public SiblingPools siblings(SaleDay day, SiblingPools siblings) {
        return siblings;
    }

    /** Whether the read side takes the highest number that it has seen for where it has come to. */
    public boolean followsByNumberAlone() {
        return false;
    }

    /** Whether consumers are done with a record before they have handled it. */
    public boolean commitsBeforeHandling() {
        return false;
    }

    /** What else happens in this world. */
    public void happens(SaleDay day) {}
}
