package io.holdfast.engine.entity;

import io.holdfast.engine.effect.Effect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How the owed effects of one entity are going. It knows attempts and times; what an outcome means is the machine's business.
 *
 * <p>It only ever holds what the state owes: {@link #follow} is given the debt after each change and forgets the rest.
 */
final class EffectSupervisor<X extends Effect> {

    private final Map<String, Task<X>> tasks = new LinkedHashMap<>();

    /** Takes over what is owed now: forgets what is not owed any more, starts what is new. */
    List<Task<X>> follow(List<X> owed, long millis) {
        Map<String, X> byId = LinkedHashMap.newLinkedHashMap(owed.size());
        for (X effect : owed) {
            if (byId.put(effect.operationId(), effect) != null) {
                throw new IllegalStateException("two owed effects have the operation id " + effect.operationId());
            }
        }
        tasks.keySet().retainAll(byId.keySet());
        List<Task<X>> started = new ArrayList<>(0);
        byId.forEach((operationId, effect) -> {
            Task<X> known = tasks.get(operationId);
            if (known != null) {
                known.effect = effect;
            } else {
                Task<X> task = new Task<>(effect);
                tasks.put(operationId, task);
                task.start(millis);
                started.add(task);
            }
        });
        return started;
    }

    @Nullable
    Task<X> find(String operationId) {
        return tasks.get(operationId);
    }

    boolean isEmpty() {
        return tasks.isEmpty();
    }

    /** Attempts whose time has run out without an outcome. */
    List<Task<X>> overdue(long millis) {
        return tasks.values().stream()
                .filter(t -> t.phase == Phase.IN_FLIGHT && t.dueAt <= millis)
                .toList();
    }

    /** Starts the attempts whose back-off is over. */
    List<Task<X>> startDue(long millis) {
        return start(Phase.WAITING, millis);
    }

    /** Starts what was left until somebody looks. */
    List<Task<X>> startParked(long millis) {
        return start(Phase.PARKED, millis);
    }

    private List<Task<X>> start(Phase from, long millis) {
        List<Task<X>> started = new ArrayList<>(0);
        for (Task<X> task : tasks.values()) {
            if (task.phase == from && task.dueAt <= millis) {
                task.start(millis);
                started.add(task);
            }
        }
        return started;
    }

    /** One that failed past its limit and is not recorded as stalled yet. */
    Optional<Task<X>> unrecordedStall(Set<String> recorded) {
        for (Task<X> task : tasks.values()) {
            if (task.pastLimit() && !recorded.contains(task.operationId())) {
                return Optional.of(task);
            }
        }
        return Optional.empty();
    }

    /** When the next time-out or retry is due, on the monotonic clock; the largest number when none is. */
    long earliest(Set<String> recorded) {
        long earliest = Long.MAX_VALUE;
        for (Task<X> task : tasks.values()) {
            if (task.pastLimit() && !recorded.contains(task.operationId())) {
                return Long.MIN_VALUE;
            }
            if (task.phase == Phase.IN_FLIGHT || task.phase == Phase.WAITING) {
                earliest = Math.min(earliest, task.dueAt);
            }
        }
        return earliest;
    }

    List<EffectProgress> progress(Moment moment, Set<String> recorded) {
        if (tasks.isEmpty()) {
            return List.of();
        }
        List<EffectProgress> all = new ArrayList<>(tasks.size());
        Iterator<Task<X>> each = tasks.values().iterator();
        while (each.hasNext()) {
            Task<X> task = each.next();
            all.add(new EffectProgress(
                    task.operationId(),
                    task.effect.name(),
                    task.attempts,
                    Optional.ofNullable(task.lastError),
                    task.phase == Phase.WAITING
                            ? Optional.of(moment.now().plusMillis(task.dueAt - moment.millis()))
                            : Optional.empty(),
                    recorded.contains(task.operationId())));
        }
        return all;
    }

    private enum Phase {
        /** An attempt runs; due at its time-out. */
        IN_FLIGHT,
        /** The outcome is known and is being decided; nothing is due. */
        ANSWERED,
        /** Due when the back-off is over. */
        WAITING,
        /** Left until somebody looks; nothing is due. */
        PARKED
    }

    /** One owed effect. */
    static final class Task<X extends Effect> {
        private X effect;
        private Phase phase = Phase.WAITING;
        private int attempts;
        private int failures;
        private long startedAt;
        private long dueAt;
        private @Nullable String lastError;

        private Task(X effect) {
            this.effect = effect;
        }

        X effect() {
            return effect;
        }

        String operationId() {
            return effect.operationId();
        }

        int attempts() {
            return attempts;
        }

        int failures() {
            return failures;
        }

        String lastError() {
            return lastError == null ? "" : lastError;
        }

        Duration took(long millis) {
            return Duration.ofMillis(Math.max(0, millis - startedAt));
        }

        boolean runs(int attempt) {
            return phase == Phase.IN_FLIGHT && attempts == attempt;
        }

        boolean answered() {
            return phase == Phase.ANSWERED;
        }

        void answeredNow() {
            phase = Phase.ANSWERED;
        }

        private boolean pastLimit() {
            return failures >= effect.retry().stallAfter();
        }

        private void start(long millis) {
            attempts++;
            phase = Phase.IN_FLIGHT;
            startedAt = millis;
            dueAt = millis + Math.max(1, effect.retry().timeout().toMillis());
        }

        /** Notes a failed attempt and when the next one is due. */
        void failed(String why, boolean stalledBefore, long millis, double random) {
            failures++;
            lastError = why;
            var policy = effect.retry();
            if (!pastLimit() && !stalledBefore) {
                phase = Phase.WAITING;
                dueAt = millis + policy.backoff().delayAfter(failures, random).toMillis();
                return;
            }
            switch (policy.afterLimit()) {
                case RECORD_AND_KEEP_TRYING -> {
                    phase = Phase.WAITING;
                    dueAt = millis + policy.backoff().longestDelay(random).toMillis();
                }
                case RECORD_AND_PARK -> {
                    phase = Phase.PARKED;
                    dueAt = millis;
                }
            }
        }
    }
}
