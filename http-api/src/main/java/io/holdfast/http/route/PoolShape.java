package io.holdfast.http.route;

import io.holdfast.engine.machine.Refusal;
import io.holdfast.engine.runtime.Reply;
import io.holdfast.http.problem.ProblemCode;
import io.holdfast.http.wire.Paths;
import io.holdfast.http.wire.PoolView;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolRefusal;
import java.util.Map;
import java.util.Optional;

/** Stock pools as seen from outside. */
final class PoolShape implements EntityAnswers.Shape<StockPool> {

    @Override
    public String idMember() {
        return "pool";
    }

    @Override
    public String linkMember() {
        return "pool_url";
    }

    @Override
    public String path(String entityId) {
        return Paths.pool(entityId);
    }

    @Override
    public PoolView view(Reply<StockPool> reply) {
        return PoolView.of(reply);
    }

    @Override
    public String status(StockPool state) {
        return state.status().name();
    }

    @Override
    public boolean recorded(StockPool state, Refusal reason) {
        return false;
    }

    @Override
    public Map<String, Object> members(StockPool state, Refusal reason) {
        return reason == StockPoolRefusal.BASELINE_CHANGED
                ? state.totals()
                        .<Map<String, Object>>map(now -> Map.of("version_now", now.version()))
                        .orElse(Map.of())
                : Map.of();
    }

    @Override
    public Optional<String> tag(StockPool state) {
        return state.totals().map(baseline -> IfMatch.tag(baseline.version()));
    }

    @Override
    public ProblemCode absent() {
        return ProblemCode.POOL_UNKNOWN;
    }

    @Override
    public boolean idSaysWhose() {
        return true;
    }

    @Override
    public Optional<Owner> owner(StockPool state) {
        return Optional.empty();
    }
}
