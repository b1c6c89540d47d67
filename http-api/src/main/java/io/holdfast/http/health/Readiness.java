package io.holdfast.http.health;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks every check at once, none for longer than its time. */
public final class Readiness {

    private static final Logger LOG = LoggerFactory.getLogger(Readiness.class);

    private final List<HealthCheck> checks;
    private final Duration longest;

    /**
     * @param checks no name twice
     * @param longest how long one check may take before it counts as down
     */
    public Readiness(List<HealthCheck> checks, Duration longest) {
        this.checks = List.copyOf(checks);
        this.longest = longest;
        if (this.checks.stream().map(HealthCheck::name).distinct().count() != this.checks.size()) {
            throw new IllegalArgumentException("two health checks have one name");
        }
    }

    /** How each part stands, by name, in the order the checks were given. Never fails. */
    public CompletionStage<Map<String, Health>> ask() {
        List<CompletableFuture<Health>> answers = new ArrayList<>();
        for (HealthCheck check : checks) {
            answers.add(one(check));
        }
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(_ -> {
                    Map<String, Health> byName = new LinkedHashMap<>();
                    for (int i = 0; i < checks.size(); i++) {
                        byName.put(checks.get(i).name(), answers.get(i).join());
                    }
                    return byName;
                });
    }

    private CompletableFuture<Health> one(HealthCheck check) {
        CompletableFuture<Health> answer;
        try {
            // A copy: a time-out must not complete a future that belongs to the check.
            answer = check.check().toCompletableFuture().copy();
        } catch (RuntimeException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        return answer.completeOnTimeout(
                        Health.down("no answer within " + longest.toMillis() + " ms"),
                        longest.toMillis(),
                        TimeUnit.MILLISECONDS)
                .exceptionally(fault -> {
                    LOG.warn("health check {} failed", check.name(), fault);
                    return Health.down("the check itself failed; the log says how");
                });
    }
}
