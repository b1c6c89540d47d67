package io.holdfast.simulation.variant;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.CancelReply;
import io.holdfast.lua.CancelRequest;
import io.holdfast.lua.StockScripts;
import io.holdfast.lua.TryReply;
import io.holdfast.lua.TryRequest;
import io.holdfast.simulation.world.SaleDay;
import java.time.Duration;

/** The fence of a hold that has ended lives for less than a call may be late. */
final class MarkerWithLifetime extends WrongVariant {

    private static final Duration LIFETIME = Duration.ofSeconds(1);

    @Override
    public boolean addsToItsWorlds() {
        return true;
    }

    @Override
    public String what() {
        return "lets the fence of an ended hold expire while a late call may still come";
    }

    @Override
    public StockScripts scripts(SaleDay day, StockScripts scripts) {
        return heard(network(day, scripts), (request, outcome) -> {
            if (request instanceof CancelRequest cancel
                    && outcome instanceof Outcome.Known<?>(CancelReply.Released _)) {
                expires(day, cancel.pool(), cancel.reservation());
            }
            if (request instanceof TryRequest attempt
                    && outcome instanceof Outcome.Known<?>(TryReply.InsufficientStock _)) {
                expires(day, attempt.pool(), attempt.reservation());
            }
        });
    }

    @Override
    StockScripts network(SaleDay day, StockScripts scripts) {
        return worseNetwork(day, scripts, TryRequest.class::isInstance, _ -> false);
    }

    private static void expires(SaleDay day, String pool, String reservation) {
        day.world().timeline().after(LIFETIME, "", () -> day.redis().forgetFence(pool, reservation));
    }
}
