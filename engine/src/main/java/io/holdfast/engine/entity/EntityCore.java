package io.holdfast.engine.entity;

import io.holdfast.engine.effect.Effect;
import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.entity.EffectSupervisor.Task;
import io.holdfast.engine.entity.WaitingRoom.Waiting;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Decision;
import io.holdfast.engine.machine.EngineRefusal;
import io.holdfast.engine.machine.Machine;
import io.holdfast.engine.machine.Owed;
import io.holdfast.engine.machine.Refusal;
import io.holdfast.engine.machine.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One running entity of any machine, without anything it runs on: inputs go in, steps to be carried out come back. It has no clock, no
 * chance and no input or output; the same inputs give the same steps. The actor and the simulation carry the steps out.
 *
 * <p>The rules it keeps:
 *
 * <ol>
 *   <li>A command is for this entity or is refused. A known cause is never decided twice: same content is answered with what became of
 *       it; other content is refused (request) or marks the entity (event), once however often that event comes again.
 *   <li>What was decided is journaled before anything else is done about it: effects start and askers are told from
 *       {@link #persisted} on.
 *   <li>After each change the state is asked what it owes. New debts are started, settled ones are forgotten, and an outcome that
 *       comes for a forgotten one is ignored.
 *   <li>Unknown and unavailable lead to the next attempt under the same operation id, never to a failure of the machine. An attempt
 *       without an answer is unknown when its time is over. Past the limit the stall is journaled once; the debt stays.
 *   <li>An asker is told when the verdict on its command is settled, or that it is pending when its patience ends.
 * </ol>
 *
 * <p>Use: {@link #recovered} once, then {@link #on} per input; when the last step is a {@link Step.Persist}, {@link #persisted} comes
 * next, before any other input. An exception from the machine means a broken invariant: throw the core away, nothing of the input was
 * journaled. Not thread-safe.
 *
 * @param <S> state of the machine
 * @param <C> commands of the machine
 * @param <E> events of the machine
 * @param <X> effects of the machine
 * @param <A> whoever waits for an answer; opaque here
 */
public final class EntityCore<S, C, E, X extends Effect, A> {

    /** Who is named in the journal when nobody outside asked. */
    public static final String ENGINE = "engine";

    private static final String DEBT_STAYS = "the outcome is known, but the operation is still owed";
    private static final long NEVER = Long.MAX_VALUE;

    private final Machine<S, C, E, X> machine;
    private final CoreLimits limits;
    private final EffectSupervisor<X> effects = new EffectSupervisor<>();
    private final WaitingRoom<C, A> waiting = new WaitingRoom<>();

    private Entity<S> entity;
    private Owed<X> owed;
    private @Nullable Pending<S, C, X, A> pending;
    private long alarmAt = NEVER;
    private long wakeNotBefore = Long.MIN_VALUE;
    private long neededAt;
    private boolean passivating;

    /**
     * A core for an entity as its journal adds up.
     *
     * @param entity {@link Entity#fresh} with every journaled entry applied
     */
    public EntityCore(Machine<S, C, E, X> machine, CoreLimits limits, Entity<S> entity) {
        this.machine = Objects.requireNonNull(machine);
        this.limits = Objects.requireNonNull(limits);
        this.entity = Objects.requireNonNull(entity);
        this.owed = machine.owe(entity.state());
    }

    /** The entity as it is journaled. */
    public Entity<S> entity() {
        return entity;
    }

    /** True between a {@link Step.Persist} and {@link #persisted}. */
    public boolean persisting() {
        return pending != null;
    }

    /** True while an effect is owed. */
    public boolean owing() {
        return !owed.effects().isEmpty();
    }

    /** True while nothing runs or is waited for: only what comes from outside moves it before its linger is over. */
    public boolean resting(Moment moment) {
        return pending == null
                && effects.isEmpty()
                && waiting.isEmpty()
                && (owed.wakeAt().isEmpty() || beyondHorizon(moment));
    }

    /** The replay is over: starts what is owed. The first call on a core. */
    public List<Step<S, E, X, A>> recovered(Moment moment, double random) {
        var turn = new Turn<S, E, X, A>(moment, random);
        needed(turn);
        settle(turn);
        arm(turn);
        return turn.steps;
    }

    /**
     * Takes one input.
     *
     * @param random a number in [0, 1), for jitter
     * @return what to do, in order; a {@link Step.Persist}, if any, comes last
     * @throws IllegalStateException if {@link #persisted} is due first
     */
    public List<Step<S, E, X, A>> on(Input<C, A> input, Moment moment, double random) {
        if (pending != null) {
            throw new IllegalStateException("entity " + entity.id() + " waits for its journal; no input is allowed");
        }
        var turn = new Turn<S, E, X, A>(moment, random);
        switch (input) {
            case Input.Asked<C, A> asked -> asked(turn, asked);
            case Input.Looked<C, A>(String entityId, A asker) -> looked(turn, entityId, asker);
            case Input.Woken<C, A>(String entityId, Optional<A> asker) -> woken(turn, entityId, asker);
            case Input.AttemptEnded<C, A> ended -> attemptEnded(turn, ended);
            case Input.Alarm<C, A>() -> alarmAt = NEVER;
            case Input.RoomNeeded<C, A>() -> makeRoom(turn);
            case Input.StopAsked<C, A>() -> {
                stop(turn);
                return turn.steps;
            }
        }
        due(turn);
        arm(turn);
        return turn.steps;
    }

    /**
     * The entries of the last {@link Step.Persist} are durable.
     *
     * @return what to do now; never a {@link Step.Persist}
     */
    public List<Step<S, E, X, A>> persisted(Moment moment, double random) {
        var durable = pending;
        if (durable == null) {
            throw new IllegalStateException("entity " + entity.id() + " has nothing to journal");
        }
        pending = null;
        entity = durable.next;
        owed = durable.owed;
        var turn = new Turn<S, E, X, A>(moment, random);
        needed(turn);
        durable.observations.forEach(turn::observe);
        settle(turn);
        if (durable.promise != null) {
            keep(turn, durable.promise);
        }
        arm(turn);
        return turn.steps;
    }

    /**
     * Who still waits, when the core has to be thrown away (the journal failed, the machine broke an invariant): none of them was told
     * anything, and nobody can say now whether their command was journaled.
     */
    public List<A> unanswered() {
        List<A> askers = new ArrayList<>();
        waiting.leave(_ -> true).forEach(w -> askers.add(w.asker()));
        if (pending != null && pending.promise != null) {
            askers.add(pending.promise.asker);
        }
        return askers;
    }

    // ---- commands

    private void asked(Turn<S, E, X, A> turn, Input.Asked<C, A> asked) {
        needed(turn);
        Cause cause = asked.cause();
        if (!asked.entityId().equals(entity.id())) {
            refuse(turn, asked.asker(), cause, EngineRefusal.WRONG_ENTITY);
            return;
        }
        String knownHash = cause.remembered() ? entity.causes().get(cause.id()) : null;
        if (knownHash == null) {
            decide(turn, cause, asked.command(), asked);
        } else if (knownHash.equals(cause.hash())) {
            repeat(turn, cause, asked.command(), asked);
        } else {
            switch (cause.kind()) {
                case REQUEST, OPERATOR -> refuse(turn, asked.asker(), cause, EngineRefusal.KEY_REUSED);
                case EVENT -> {
                    C contradicted = machine.contradicted(cause.id());
                    if (entity.contradictions().containsKey(cause.id())) {
                        repeat(turn, cause, contradicted, asked);
                    } else {
                        turn.observe(new Observation.Contradicted(cause));
                        decide(turn, cause, contradicted, asked);
                    }
                }
                case OUTCOME, TIMER -> throw new IllegalStateException("not remembered: " + cause);
            }
        }
    }

    /** Decides a command; {@code asked} is null when nobody waits for the answer. */
    private void decide(Turn<S, E, X, A> turn, Cause cause, C command, Input.@Nullable Asked<C, A> asked) {
        switch (machine.decide(entity.state(), command, turn.moment.now())) {
            case Decision.Accept<E>(List<E> events) -> {
                var planned = plan(turn, cause, events);
                Promise<C, A> promise = asked == null ? null : Promise.verdictOf(command, asked);
                if (promise != null
                        && mustWait(promise)
                        && waiting.size() >= limits.maxWaiting()
                        && machine.verdict(planned.next.state(), command) instanceof Verdict.Pending) {
                    refuse(turn, promise.asker, cause, EngineRefusal.TOO_MANY_WAITING);
                    return;
                }
                persist(turn, planned, promise, List.of());
            }
            case Decision.Repeat<E>() -> {
                if (asked != null) {
                    repeat(turn, cause, command, asked);
                }
            }
            case Decision.Refuse<E>(Refusal reason, List<E> events) -> {
                if (events.isEmpty()) {
                    if (asked != null) {
                        refuse(turn, asked.asker(), cause, reason);
                    } else {
                        turn.observe(new Observation.Refused(cause, reason));
                    }
                } else {
                    Promise<C, A> promise = asked == null ? null : Promise.refusalOf(command, asked, reason);
                    persist(turn, plan(turn, cause, events), promise, List.of(new Observation.Refused(cause, reason)));
                }
            }
        }
    }

    private void repeat(Turn<S, E, X, A> turn, Cause cause, C command, Input.Asked<C, A> asked) {
        turn.observe(new Observation.Repeated(cause));
        Verdict verdict = machine.verdict(entity.state(), command);
        if (!(verdict instanceof Verdict.Pending) || !isPositive(asked.patience())) {
            tell(turn, asked.asker(), verdict, true);
        } else if (waiting.size() >= limits.maxWaiting()) {
            refuse(turn, asked.asker(), cause, EngineRefusal.TOO_MANY_WAITING);
        } else {
            waiting.add(new Waiting<>(command, true, until(turn, asked.patience()), asked.asker()));
        }
    }

    private void looked(Turn<S, E, X, A> turn, String entityId, A asker) {
        needed(turn);
        tell(turn, asker, addressed(entityId), false);
    }

    private void woken(Turn<S, E, X, A> turn, String entityId, Optional<A> asker) {
        needed(turn);
        asker.ifPresent(a -> tell(turn, a, addressed(entityId), false));
        if (!entityId.equals(entity.id())) {
            return;
        }
        effects.startParked(turn.moment.millis()).forEach(turn::perform);
        wakeNotBefore = Long.MIN_VALUE;
    }

    private Verdict addressed(String entityId) {
        return entityId.equals(entity.id()) ? Verdict.done() : Verdict.refused(EngineRefusal.WRONG_ENTITY);
    }

    // ---- effects

    private void attemptEnded(Turn<S, E, X, A> turn, Input.AttemptEnded<C, A> ended) {
        var task = effects.find(ended.operationId());
        Observation.Result result = switch (ended.outcome()) {
            case Outcome.Known<C> _ -> Observation.Result.KNOWN;
            case Outcome.Unknown<C> _ -> Observation.Result.UNKNOWN;
            case Outcome.Unavailable<C> _ -> Observation.Result.UNAVAILABLE;
        };
        // An answer is an answer, even when its attempt was given up; no answer only counts for the attempt that runs.
        boolean counts = task != null && (task.runs(ended.attempt()) || result == Observation.Result.KNOWN);
        if (task == null || !counts) {
            turn.observe(new Observation.LateOutcome(ended.operationId(), ended.attempt(), result));
            return;
        }
        switch (ended.outcome()) {
            case Outcome.Known<C>(C command) -> {
                turn.observe(ended(turn, task, ended.attempt(), result, Optional.empty()));
                task.answeredNow();
                decide(turn, outcomeOf(task.operationId()), command, null);
                if (pending == null) {
                    debtStays(turn, task);
                }
            }
            case Outcome.Unknown<C>(String why) -> attemptFailed(turn, task, result, why);
            case Outcome.Unavailable<C>(String why) -> attemptFailed(turn, task, result, why);
        }
    }

    private void attemptFailed(Turn<S, E, X, A> turn, Task<X> task, Observation.Result result, String why) {
        turn.observe(ended(turn, task, task.attempts(), result, Optional.of(why)));
        failed(turn, task, why);
    }

    /** A known outcome that settles nothing must not be asked for again at once: that would spin. */
    private void debtStays(Turn<S, E, X, A> turn, Task<X> task) {
        turn.observe(new Observation.DebtStays(task.effect().name(), task.operationId(), task.attempts()));
        failed(turn, task, DEBT_STAYS);
    }

    private void failed(Turn<S, E, X, A> turn, Task<X> task, String why) {
        task.failed(why, entity.stalled().contains(task.operationId()), turn.moment.millis(), turn.random);
    }

    private static <X extends Effect> Observation ended(
            Turn<?, ?, X, ?> turn, Task<X> task, int attempt, Observation.Result result, Optional<String> error) {
        return new Observation.AttemptEnded(
                task.effect().name(), task.operationId(), attempt, result, task.took(turn.moment.millis()), error);
    }

    // ---- time

    /** Does what is due, up to the first thing that must be journaled; the alarm brings the rest. */
    private void due(Turn<S, E, X, A> turn) {
        if (pending != null) {
            return;
        }
        long millis = turn.moment.millis();
        for (Task<X> task : effects.overdue(millis)) {
            attemptFailed(
                    turn,
                    task,
                    Observation.Result.UNKNOWN,
                    "no answer within " + task.effect().retry().timeout().toMillis() + " ms");
        }
        effects.startDue(millis).forEach(turn::perform);
        for (Waiting<C, A> impatient : waiting.leave(w -> w.until() <= millis)) {
            tell(turn, impatient.asker(), machine.verdict(entity.state(), impatient.command()), impatient.repeated());
        }
        var stall = effects.unrecordedStall(entity.stalled());
        if (stall.isPresent()) {
            recordStall(turn, stall.get());
        } else if (wakeDue(turn.moment)) {
            wakeNotBefore = millis + limits.wakeAgain().toMillis();
            decide(turn, new Cause("wake-up", "", Cause.Kind.TIMER, ENGINE, entity.traceId()), machine.wakeUp(), null);
        } else if (idleAt(turn.moment) <= millis) {
            passivate(turn);
        }
    }

    private boolean wakeDue(Moment moment) {
        return owed.wakeAt().isPresent()
                && !owed.wakeAt().get().isAfter(moment.now())
                && wakeNotBefore <= moment.millis();
    }

    private void recordStall(Turn<S, E, X, A> turn, Task<X> task) {
        Instant now = turn.moment.now();
        boolean othersOwed = owed.effects().stream()
                .anyMatch(e -> !e.operationId().equals(task.operationId())
                        && !entity.stalled().contains(e.operationId()));
        // The running entity tries on by itself; if its node dies, the sweeper need not come sooner than the next
        // attempt would have.
        Instant wakeAt =
                othersOwed ? now : now.plus(task.effect().retry().backoff().longest());
        var entry = new Entry.EffectStalled<E>(
                task.operationId(),
                task.effect().name(),
                task.failures(),
                task.lastError(),
                new Meta(now, outcomeOf(task.operationId()), Optional.of(wakeAt)));
        var planned = new Planned<>(entity.after(machine, entry), owed, List.<Entry<E>>of(entry));
        persist(
                turn,
                planned,
                null,
                List.of(new Observation.Stalled(
                        task.effect().name(), task.operationId(), task.failures(), task.lastError())));
    }

    /**
     * Sets the alarm to the first moment anything is due, unless it is set early enough already. One that should have rung is as good as
     * none: it is about to ring, or was lost.
     */
    private void arm(Turn<S, E, X, A> turn) {
        if (pending != null) {
            return;
        }
        long earliest = Math.min(effects.earliest(entity.stalled()), waiting.earliest());
        earliest = Math.min(earliest, Math.min(wakeAlarm(turn.moment), idleAt(turn.moment)));
        boolean armed = alarmAt > turn.moment.millis();
        if (armed ? earliest < alarmAt : earliest < NEVER) {
            long delay = earliest <= turn.moment.millis() ? 0 : earliest - turn.moment.millis();
            alarmAt = turn.moment.millis() + delay;
            turn.steps.add(new Step.SetAlarm<>(Duration.ofMillis(delay)));
        }
    }

    private long wakeAlarm(Moment moment) {
        if (owed.wakeAt().isEmpty() || beyondHorizon(moment)) {
            return NEVER;
        }
        long inMillis = Math.max(0, moment.now().until(owed.wakeAt().get()).toMillis());
        // Rounded up: an alarm a fraction of a millisecond early would only ring again.
        return Math.max(wakeNotBefore, moment.millis() + inMillis + (inMillis > 0 ? 1 : 0));
    }

    private boolean beyondHorizon(Moment moment) {
        return owed.wakeAt().isPresent()
                && moment.now()
                        .plus(limits.wakeHorizon())
                        .isBefore(owed.wakeAt().get());
    }

    private long idleAt(Moment moment) {
        if (passivating || !resting(moment)) {
            return NEVER;
        }
        Duration linger = owed.wakeAt().isEmpty() ? limits.lingerAtRest() : limits.linger();
        return neededAt + linger.toMillis();
    }

    private void makeRoom(Turn<S, E, X, A> turn) {
        if (!passivating && resting(turn.moment)) {
            passivate(turn);
        }
    }

    private void passivate(Turn<S, E, X, A> turn) {
        passivating = true;
        turn.steps.add(new Step.Passivate<>());
    }

    private void stop(Turn<S, E, X, A> turn) {
        for (Waiting<C, A> left : waiting.leave(_ -> true)) {
            tell(turn, left.asker(), machine.verdict(entity.state(), left.command()), left.repeated());
        }
        boolean wakeDueSoon = owed.wakeAt().isPresent() && !beyondHorizon(turn.moment);
        turn.steps.add(new Step.Stop<>(!effects.isEmpty() || wakeDueSoon));
    }

    // ---- journal

    private record Planned<S, E, X extends Effect>(Entity<S> next, Owed<X> owed, List<Entry<E>> entries) {}

    /** What the entity will be once these events are journaled. */
    private Planned<S, E, X> plan(Turn<S, E, X, A> turn, Cause cause, List<E> events) {
        S state = entity.state();
        for (E event : events) {
            state = machine.evolve(state, event);
        }
        Owed<X> debt = machine.owe(state);
        Instant now = turn.moment.now();
        var meta = new Meta(now, cause, debt.effects().isEmpty() ? debt.wakeAt() : Optional.of(now));
        Entity<S> next = entity;
        List<Entry<E>> entries = new ArrayList<>(events.size());
        for (E event : events) {
            var entry = new Entry.Happened<>(event, meta);
            entries.add(entry);
            next = next.after(machine, entry);
        }
        return new Planned<>(next, debt, entries);
    }

    private void persist(
            Turn<S, E, X, A> turn,
            Planned<S, E, X> planned,
            @Nullable Promise<C, A> promise,
            List<Observation> observations) {
        pending = new Pending<>(planned.next, planned.owed, promise, observations);
        turn.steps.add(new Step.Persist<>(planned.entries));
    }

    /** Brings effects and askers in line with what is journaled. */
    private void settle(Turn<S, E, X, A> turn) {
        long millis = turn.moment.millis();
        effects.follow(owed.effects(), millis).forEach(turn::perform);
        for (X effect : owed.effects()) {
            Task<X> task = Objects.requireNonNull(effects.find(effect.operationId()));
            if (task.answered()) {
                debtStays(turn, task);
            }
        }
        if (owed.wakeAt().isPresent() && owed.wakeAt().get().isAfter(turn.moment.now())) {
            wakeNotBefore = Long.MIN_VALUE;
        }
        passivating = false;
        for (var settled : waiting.leave(w -> isSettled(w.command()))) {
            tell(turn, settled.asker(), machine.verdict(entity.state(), settled.command()), settled.repeated());
        }
    }

    private boolean isSettled(C command) {
        return !(machine.verdict(entity.state(), command) instanceof Verdict.Pending);
    }

    // ---- askers

    /** Answers the asker whose command has just been journaled, or lets it wait. */
    private void keep(Turn<S, E, X, A> turn, Promise<C, A> promise) {
        if (promise.refusal != null) {
            tell(turn, promise.asker, Verdict.refused(promise.refusal), false);
            return;
        }
        Verdict verdict = machine.verdict(entity.state(), promise.command);
        if (verdict instanceof Verdict.Pending && mustWait(promise)) {
            waiting.add(new Waiting<>(promise.command, false, until(turn, promise.patience), promise.asker));
        } else {
            tell(turn, promise.asker, verdict, false);
        }
    }

    private void refuse(Turn<S, E, X, A> turn, A asker, Cause cause, Refusal reason) {
        turn.observe(new Observation.Refused(cause, reason));
        tell(turn, asker, Verdict.refused(reason), false);
    }

    private void tell(Turn<S, E, X, A> turn, A asker, Verdict verdict, boolean repeated) {
        var working = effects.progress(turn.moment, entity.stalled());
        turn.steps.add(new Step.Tell<>(asker, new Answer<>(entity, verdict, repeated, working)));
    }

    private void needed(Turn<S, E, X, A> turn) {
        neededAt = turn.moment.millis();
    }

    private boolean mustWait(Promise<C, A> promise) {
        return isPositive(promise.patience);
    }

    private static boolean isPositive(Duration patience) {
        return patience.isPositive();
    }

    private static long until(Turn<?, ?, ?, ?> turn, Duration patience) {
        return turn.moment.millis() + Math.max(1, patience.toMillis());
    }

    private Cause outcomeOf(String operationId) {
        return new Cause(operationId, "", Cause.Kind.OUTCOME, ENGINE, entity.traceId());
    }

    /** Whom to tell once the journal has it, and what: the verdict on a command, or why it was refused. */
    private record Promise<C, A>(
            C command, Duration patience, A asker, @Nullable Refusal refusal) {

        static <C, A> Promise<C, A> verdictOf(C command, Input.Asked<C, A> asked) {
            return new Promise<>(command, asked.patience(), asked.asker(), null);
        }

        static <C, A> Promise<C, A> refusalOf(C command, Input.Asked<C, A> asked, Refusal reason) {
            return new Promise<>(command, asked.patience(), asked.asker(), reason);
        }
    }

    /** What becomes true when the journal has the entries. */
    private record Pending<S, C, X extends Effect, A>(
            Entity<S> next, Owed<X> owed, @Nullable Promise<C, A> promise, List<Observation> observations) {}

    /** One input being worked on. */
    private static final class Turn<S, E, X extends Effect, A> {
        private final Moment moment;
        private final double random;
        private final List<Step<S, E, X, A>> steps = new ArrayList<>(4);

        private Turn(Moment moment, double random) {
            this.moment = moment;
            this.random = random;
        }

        private void perform(Task<X> task) {
            steps.add(new Step.Perform<>(task.effect(), task.attempts()));
        }

        private void observe(Observation observation) {
            steps.add(new Step.Observe<>(observation));
        }
    }
}
