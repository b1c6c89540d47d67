package io.holdfast.simulation.world;

import io.holdfast.compensation.domain.CompensationCommand;
import io.holdfast.engine.effect.Effect;
import io.holdfast.engine.machine.MachineSamples;
import io.holdfast.engine.machine.Owed;
import io.holdfast.engine.machine.Sample;
import io.holdfast.order.domain.Order;
import io.holdfast.order.domain.OrderCommand;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.StockPool;
import io.holdfast.reservation.domain.StockPoolCommand;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which cells no fleet comes to, whatever goes wrong in it, by three rules of the engine: an answer is given to a state that owes the effect it
 * is the answer to, and is dropped in any other; a wake-up comes to a state that asks for one; and an id that comes again with other content is
 * known from an entry before it.
 */
final class Reach {

    /** By answer the names of the effects that are answered so. Where several answers come wrapped, what is wrapped counts. */
    private static final Map<Class<?>, Set<String>> ANSWERS = Map.ofEntries(
            Map.entry(ReservationCommand.HoldAnswered.class, Set.of("try", "order-try")),
            Map.entry(ReservationCommand.HandOffAnswered.class, Set.of("hand-off")),
            Map.entry(ReservationCommand.OrderRequestAnswered.class, Set.of("request-order")),
            Map.entry(ReservationCommand.AdmissionReturnAnswered.class, Set.of("return-admission")),
            Map.entry(ReservationCommand.ConfirmAnswered.class, Set.of("confirm")),
            Map.entry(ReservationCommand.ReleaseAnswered.class, Set.of("release", "await-compensation")),
            Map.entry(ReservationCommand.RefundAnswered.class, Set.of("refund", "await-compensation")),
            Map.entry(ReservationCommand.RefundCameLate.class, Set.of("refund", "await-compensation")),
            Map.entry(ReservationCommand.CompensationDecided.class, Set.of("release", "refund", "await-compensation")),
            Map.entry(ReservationCommand.OrderAnswered.class, Set.of("ask-order")),
            Map.entry(
                    ReservationCommand.ContradictionFound.class,
                    Set.of(
                            "try",
                            "order-try",
                            "hand-off",
                            "request-order",
                            "return-admission",
                            "confirm",
                            "release",
                            "refund",
                            "await-compensation",
                            "ask-order")),
            Map.entry(
                    StockPoolCommand.OperationDone.class,
                    Set.of("pool-init", "pool-adjust", "pool-status", "pool-repair", "pool-archive", "pool-let-go")),
            Map.entry(
                    StockPoolCommand.OperationTurnedDown.class,
                    Set.of("pool-init", "pool-adjust", "pool-status", "pool-repair", "pool-archive")),
            Map.entry(StockPoolCommand.KeysExpire.class, Set.of("pool-let-go", "pool-archive")),
            Map.entry(StockPoolCommand.VerificationAnswered.class, Set.of("pool-verify")),
            Map.entry(StockPoolCommand.RebuildAnswered.class, Set.of("pool-rebuild")),
            Map.entry(CompensationCommand.ScriptAnswered.class, Set.of("apply")),
            Map.entry(CompensationCommand.FenceRead.class, Set.of("read-back")),
            Map.entry(OrderCommand.CreationAnswered.class, Set.of("create-order", "reject-overdue")),
            Map.entry(OrderCommand.PaymentAnswered.class, Set.of("record-payment")),
            Map.entry(OrderCommand.HoldAnswered.class, Set.of("hold-again")),
            Map.entry(OrderCommand.ReacquireAnswered.class, Set.of("reacquire-order")),
            Map.entry(OrderCommand.PaymentReturned.class, Set.of("return-payment")),
            Map.entry(OrderCommand.MarkAnswered.class, Set.of("mark-cancel-pending")),
            Map.entry(OrderCommand.CloseAnswered.class, Set.of("close-payment")),
            Map.entry(OrderCommand.CancelAnswered.class, Set.of("cancel-order")),
            Map.entry(OrderCommand.RefundAnswered.class, Set.of("refund-order")),
            Map.entry(
                    OrderCommand.ContradictionFound.class,
                    Set.of(
                            "create-order",
                            "reject-overdue",
                            "record-payment",
                            "hold-again",
                            "reacquire-order",
                            "return-payment",
                            "mark-cancel-pending",
                            "close-payment",
                            "cancel-order",
                            "refund-order")));

    /** What is owed beside any state: it began before the state did, and outlasts it. */
    private static final Set<String> BESIDE =
            Set.of("record-payment", "return-payment", "hold-again", "reacquire-order", "return-admission");

    private static final Set<Class<?>> WAKE_UPS = Set.of(
            ReservationCommand.WakeUp.class,
            StockPoolCommand.WakeUp.class,
            CompensationCommand.WakeUp.class,
            OrderCommand.WakeUp.class);

    private static final Set<Class<?>> SAME_ID = Set.of(
            ReservationCommand.Contradicted.class,
            StockPoolCommand.Contradicted.class,
            OrderCommand.Contradicted.class);

    private static final Set<Class<?>> WITHOUT_A_PAST =
            Set.of(Reservation.None.class, StockPool.New.class, Order.None.class);

    /** What examples of each kind of state owe, all together. */
    private final Map<Class<?>, List<Owed<?>>> owed = new HashMap<>();

    <S, C, E, X extends Effect> Reach(MachineSamples<S, C, E, X> samples) {
        for (Sample<S> state : samples.states()) {
            owed.merge(
                    samples.kindOf(state.value()).getClass(),
                    List.of(samples.machine().owe(state.value())),
                    (some, more) -> Stream.concat(some.stream(), more.stream()).toList());
        }
    }

    /** Whether no fleet comes to this cell. */
    boolean isOutOfReach(Class<?> state, Class<?> command) {
        List<Owed<?>> debts = owed.getOrDefault(state, List.of());
        if (ANSWERS.containsKey(command)) {
            return ANSWERS.get(command).stream().noneMatch(BESIDE::contains)
                    && debts.stream()
                            .flatMap(debt -> debt.effects().stream())
                            .noneMatch(effect -> ANSWERS.get(command).contains(effect.name()));
        }
        return WAKE_UPS.contains(command)
                        && debts.stream().allMatch(debt -> debt.wakeAt().isEmpty())
                || SAME_ID.contains(command) && WITHOUT_A_PAST.contains(state);
    }
}
