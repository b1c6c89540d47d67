package io.holdfast.reservation.domain;

import io.holdfast.engine.machine.Decision;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.reservation.domain.ReservationCommand.ConfirmAnswered;
import io.holdfast.reservation.domain.ReservationCommand.HoldAnswer;
import io.holdfast.reservation.domain.ReservationCommand.HoldAnswered;
import io.holdfast.reservation.domain.ReservationCommand.OrderAnswered;
import io.holdfast.reservation.domain.ReservationCommand.RefundAnswered;
import io.holdfast.reservation.domain.ReservationCommand.ReleaseAnswered;
import io.holdfast.reservation.domain.ReservationEffect.AskOrder;
import io.holdfast.reservation.domain.ReservationEffect.AwaitCompensation;
import io.holdfast.reservation.domain.ReservationEffect.ConfirmHold;
import io.holdfast.reservation.domain.ReservationEffect.RefundHold;
import io.holdfast.reservation.domain.ReservationEffect.ReleaseHold;
import io.holdfast.reservation.domain.ReservationEffect.TryGroup;
import io.holdfast.reservation.domain.ReservationEffect.TryHold;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One reservation and a pool's numbers that move as the scripts would move them: once per operation id, whatever the machine asks. Its
 * journal is all that survives a restart.
 */
final class ScriptedLife {

    private final ReservationMachine machine = new ReservationMachine(A.POLICIES);
    private final List<ReservationEvent> journal = new ArrayList<>();
    private final Map<String, ReservationCommand> answers = new LinkedHashMap<>();
    private Reservation state = machine.initial(A.ID);
    private Instant now = A.NOW;

    private final long total;
    private long version = 1;
    private long available;
    private long reserved;
    private long sold;
    private long heldByFence;
    private boolean confirmed;

    ScriptedLife(long total) {
        this.total = total;
        this.available = total;
    }

    Decision<ReservationEvent> give(ReservationCommand command) {
        Decision<ReservationEvent> decision = machine.decide(state, command, now);
        for (ReservationEvent event : decision.events()) {
            journal.add(event);
            state = machine.evolve(state, event);
        }
        return decision;
    }

    /** Redis answers all that is owed, until nothing is. */
    void settle() {
        int rounds = 0;
        while (step()) {
            if (++rounds > 100) {
                throw new AssertionError("it never rests: " + state);
            }
        }
    }

    /** Redis answers one thing that is owed, if anything is. */
    boolean step() {
        List<ReservationEffect> owed = machine.owe(state).effects();
        if (owed.isEmpty()) {
            return false;
        }
        give(answer(owed.getFirst()));
        return true;
    }

    /** The operation happens, and nobody hears of it. */
    void loseAnswer() {
        machine.owe(state).effects().stream().findFirst().ifPresent(this::answer);
    }

    void restart() {
        state = machine.initial(A.ID);
        for (ReservationEvent event : journal) {
            state = machine.evolve(state, event);
        }
    }

    void passTo(Instant later) {
        now = later;
    }

    private ReservationCommand answer(ReservationEffect effect) {
        ReservationCommand first = answers.get(effect.operationId());
        if (first != null) {
            return first;
        }
        ReservationCommand answer = switch (effect) {
            case TryHold hold -> tried(hold);
            case TryGroup _ -> throw new AssertionError("this life is lived alone");
            case ConfirmHold confirm -> {
                long released = heldByFence - confirm.quantity();
                move(released, -heldByFence, confirm.quantity());
                heldByFence = confirm.quantity();
                confirmed = true;
                yield new ConfirmAnswered(confirm.quantity(), released, books());
            }
            case ReleaseHold _ -> {
                long released = heldByFence;
                move(released, -released, 0);
                heldByFence = 0;
                yield new ReleaseAnswered(released, books());
            }
            case ReservationEffect.HandOff _ -> new ReservationCommand.HandOffAnswered();
            case ReservationEffect.RequestOrder _ -> new ReservationCommand.OrderRequestAnswered();
            case ReservationEffect.ReturnAdmission _ -> throw new AssertionError("nothing comes late in this life");
            case AwaitCompensation _ -> throw new AssertionError("nothing is contradicted in this life");
            case AskOrder question -> new OrderAnswered(question.number(), OrderAnswer.UNKNOWN_ORDER);
            case RefundHold(var _, var _, Refund refund, var _, var _, var _, var _) -> {
                long units = refund.quantity();
                if (units > heldByFence) {
                    throw new AssertionError("a refund of " + units + " was asked of " + heldByFence);
                }
                heldByFence -= units;
                move(
                        refund.restock() ? units : 0,
                        confirmed ? 0 : -units,
                        confirmed ? (refund.restock() ? -units : 0) : (refund.restock() ? 0 : units));
                yield new RefundAnswered(refund.id(), books());
            }
        };
        answers.put(effect.operationId(), answer);
        return answer;
    }

    private ReservationCommand tried(TryHold hold) {
        if (hold.quantity() > available) {
            return new HoldAnswered(new HoldAnswer.Turned(DenialReason.SHORT, books()));
        }
        move(-hold.quantity(), hold.quantity(), 0);
        heldByFence = hold.quantity();
        return new HoldAnswered(new HoldAnswer.Granted(books()));
    }

    private void move(long toAvailable, long toReserved, long toSold) {
        available += toAvailable;
        reserved += toReserved;
        sold += toSold;
        version++;
        if (available < 0 || reserved < 0 || sold < 0 || available + reserved + sold != total) {
            throw new AssertionError("the books do not balance: " + books());
        }
    }

    private Books books() {
        return new Books(1, version, total, 0, available, reserved, sold);
    }

    Verdict verdict(ReservationCommand command) {
        return machine.verdict(state, command);
    }

    ReservationMachine machine() {
        return machine;
    }

    Reservation state() {
        return state;
    }

    String id() {
        return state.id();
    }

    Instant now() {
        return now;
    }

    List<ReservationEvent> events() {
        return journal;
    }

    List<String> calls() {
        return List.copyOf(answers.keySet());
    }

    long available() {
        return available;
    }

    long reserved() {
        return reserved;
    }

    long sold() {
        return sold;
    }
}
