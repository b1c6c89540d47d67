package io.holdfast.node;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.http.route.EvidenceReads;
import io.holdfast.lua.Fence;
import io.holdfast.lua.GuardRefusal;
import io.holdfast.lua.LookReply;
import io.holdfast.lua.LookRequest;
import io.holdfast.lua.StockScripts;
import io.holdfast.reconciliation.systems.EvidenceSource;
import io.holdfast.reconciliation.systems.SystemsQueries;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** What tables and Redis say of one object. The broker proves only that something may have been sent, and logs less: they are not asked. */
final class AllEvidence implements EvidenceReads {

    private static final int RANK_OF_REDIS = 4;
    private static final Duration REDIS_WITHIN = Duration.ofSeconds(1);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final SystemsQueries tables;
    private final StockScripts scripts;

    AllEvidence(SystemsQueries tables, StockScripts scripts) {
        this.tables = tables;
        this.scripts = scripts;
    }

    @Override
    public List<EvidenceSource> of(String reservationId) throws SQLException {
        List<EvidenceSource> sources = new ArrayList<>(tables.evidence(reservationId));
        Optional<String> pool = tables.pool(reservationId);
        if (pool.isPresent()) {
            sources.add(new EvidenceSource(RANK_OF_REDIS, "redis", json(redis(pool.get(), reservationId))));
        }
        return sources;
    }

    @Override
    public List<SystemsQueries.Kept> repairs(Optional<String> reservationId, int limit) throws SQLException {
        return tables.repairs(reservationId, limit);
    }

    private Map<String, Object> redis(String pool, String reservationId) {
        Outcome<LookReply> seen = scripts.look(new LookRequest(pool, reservationId))
                .toCompletableFuture()
                .completeOnTimeout(Outcome.unknown("no answer"), REDIS_WITHIN.toMillis(), TimeUnit.MILLISECONDS)
                .join();
        return switch (seen) {
            case Outcome.Known<LookReply>(LookReply.Seen reply) -> fence(reply);
            case Outcome.Known<LookReply>(GuardRefusal refusal) -> Map.of("refused", refusal.toString());
            case Outcome.Unknown<LookReply>(String why) -> Map.of("not_answered", why);
            case Outcome.Unavailable<LookReply>(String why) -> Map.of("not_answered", why);
        };
    }

    private static Map<String, Object> fence(LookReply.Seen seen) {
        Map<String, Object> says = new LinkedHashMap<>();
        says.put("pool_status", seen.status().name());
        says.put("trusted", seen.trusted());
        if (seen.fence().isEmpty()) {
            says.put("fence", "none");
        } else {
            Fence fence = seen.fence().get();
            says.put("phase", fence.phase().name());
            says.put("quantity", fence.quantity());
            says.put("confirmed", fence.confirmed());
            says.put("released", fence.released());
            says.put("refunded", fence.refunded());
            Map<String, Object> done = new TreeMap<>();
            fence.operations()
                    .forEach((name, operation) -> done.put(
                            name,
                            Map.of(
                                    "result", operation.result(),
                                    "version", operation.books().version(),
                                    "at", operation.at().toString(),
                                    "details", operation.details())));
            says.put("operations", done);
        }
        return says;
    }

    private static String json(Map<String, Object> says) {
        return JSON.valueToTree(says).toString();
    }
}
