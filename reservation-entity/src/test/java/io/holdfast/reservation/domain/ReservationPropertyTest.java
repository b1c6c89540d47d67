package io.holdfast.reservation.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.machine.Decision;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.reservation.domain.Fact.OrderCanceled;
import io.holdfast.reservation.domain.Fact.OrderCreated;
import io.holdfast.reservation.domain.Fact.OrderCreatedFailed;
import io.holdfast.reservation.domain.Fact.RefundRequested;
import io.holdfast.reservation.domain.Reservation.Canceled;
import io.holdfast.reservation.domain.Reservation.Refunded;
import io.holdfast.reservation.domain.Reservation.Rejected;
import io.holdfast.reservation.domain.ReservationCommand.Contradicted;
import io.holdfast.reservation.domain.ReservationCommand.Freeze;
import io.holdfast.reservation.domain.ReservationCommand.Lift;
import io.holdfast.reservation.domain.ReservationCommand.Reserve;
import io.holdfast.reservation.domain.ReservationCommand.WakeUp;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Random lives of one reservation. A failure names its seed; give it to {@link #live} alone to see that life again. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ReservationPropertyTest {

    private static final int LIVES = 20_000;
    private static final int COMMANDS = 14;

    @Test
    void every_random_life_keeps_the_rules() {
        for (long seed = 0; seed < LIVES; seed++) {
            try {
                live(new Random(seed), seed % 3 == 0);
            } catch (AssertionError | RuntimeException broken) {
                throw new AssertionError("seed " + seed + ": " + broken.getMessage(), broken);
            }
        }
    }

    private static void live(Random random, boolean reviewed) {
        ScriptedLife life = new ScriptedLife(random.nextInt(4) == 0 ? 4 : 10);
        Terms terms = random.nextBoolean() ? A.TERMS : A.SCHEDULED;
        Map<ReservationCommand, Verdict> settled = new LinkedHashMap<>();
        for (int i = 0; i < COMMANDS; i++) {
            Reservation before = life.state();
            ReservationCommand command = command(random, terms, reviewed);
            Decision<ReservationEvent> decision = life.give(command);
            check(life, before, command, decision);
            if (!(decision instanceof Decision.Refuse<?>) || !decision.events().isEmpty()) {
                settled.putIfAbsent(command, Verdict.pending());
            }
            disturb(random, life);
            noteVerdicts(life, settled, reviewed);
        }
        if (life.state() instanceof Reservation.UnderReview) {
            life.give(new Lift(new Resolution.Continue(), "clear"));
        }
        life.settle();
        noteVerdicts(life, settled, reviewed);
        theEnd(life);
    }

    private static ReservationCommand command(Random random, Terms terms, boolean reviewed) {
        return switch (random.nextInt(reviewed ? 14 : 11)) {
            case 0, 1, 2 -> new Reserve(terms, new PoolChoice.Named(A.POOL), A.LATER);
            case 3, 4 -> OrderCreated.whole(order(random));
            case 5 -> new OrderCreated(order(random), OptionalLong.of(1 + random.nextInt(6)));
            case 6 -> new OrderCreatedFailed(order(random), "no " + random.nextInt(2));
            case 7 -> new OrderCanceled(orderOrNone(random), "no");
            case 8, 9 ->
                new RefundRequested(
                        orderOrNone(random), "r-" + random.nextInt(3), 1 + random.nextInt(3), random.nextBoolean());
            case 10 -> new WakeUp();
            case 11 -> new Freeze("why");
            case 12 -> new Contradicted("m-" + random.nextInt(3));
            default -> new Lift(new Resolution.Continue(), "clear");
        };
    }

    /** Now and then somebody speaks of another order. */
    private static String order(Random random) {
        return random.nextInt(10) == 0 ? "order-2" : A.ORDER;
    }

    private static Optional<String> orderOrNone(Random random) {
        return random.nextInt(4) == 0 ? Optional.empty() : Optional.of(order(random));
    }

    private static void disturb(Random random, ScriptedLife life) {
        switch (random.nextInt(6)) {
            case 0 -> life.settle();
            case 1, 2 -> life.step();
            case 3 -> life.loseAnswer();
            case 4 -> life.restart();
            default -> life.passTo(random.nextBoolean() ? A.NOW : A.LATER);
        }
    }

    private static void check(
            ScriptedLife life, Reservation before, ReservationCommand command, Decision<ReservationEvent> decision) {
        Reservation after = life.state();
        if (ended(before)) {
            assertThat(after.status()).as("an end absorbs %s", command).isEqualTo(before.status());
        }
        if (decision instanceof Decision.Repeat<?>) {
            assertThat(after).isEqualTo(before);
        }
        if (ended(after) || after instanceof Reservation.UnderReview) {
            assertThat(life.machine().owe(after).isNothing())
                    .as("what ended or is marked owes nothing")
                    .isTrue();
        }
        after.units().ifPresent(account -> {
            assertThat(account.remaining()).isNotNegative();
            assertThat(account.surplus()).isNotNegative();
            assertThat(account.remaining() + account.refunded() + account.released() + account.surplus())
                    .as("every unit is somewhere")
                    .isEqualTo(account.held());
            assertThat(account.refunded()).isLessThanOrEqualTo(account.ordered());
        });
        Reservation replayed = life.machine().initial(A.ID);
        for (ReservationEvent event : life.events()) {
            replayed = life.machine().evolve(replayed, event);
        }
        assertThat(replayed).as("the journal adds up to the state").isEqualTo(after);
    }

    private static boolean ended(Reservation state) {
        return state instanceof Canceled || state instanceof Refunded || state instanceof Rejected;
    }

    /**
     * What somebody was told once stays so. Two exceptions, both of which design demands: a hold that is gone is never called held, and
     * while a reservation is marked its facts wait.
     */
    private static void noteVerdicts(ScriptedLife life, Map<ReservationCommand, Verdict> settled, boolean reviewed) {
        settled.replaceAll((command, told) -> {
            Verdict now = life.verdict(command);
            if (told instanceof Verdict.Pending) {
                return now;
            }
            boolean held = command instanceof Reserve
                    && List.of(
                                    Verdict.refused(ReservationRefusal.WAS_CANCELED),
                                    Verdict.refused(ReservationRefusal.WAS_REFUNDED))
                            .contains(now);
            if (!held && !reviewed) {
                assertThat(now)
                        .as("the verdict on %s in %s", command, life.state())
                        .isEqualTo(told);
            }
            return now;
        });
    }

    private static void theEnd(ScriptedLife life) {
        Reservation state = life.state();
        assertThat(life.machine().owe(state).effects()).isEmpty();
        Account account = state.units().orElse(null);
        long reserved = switch (state.status()) {
            case RESERVED, CREATED_RESERVED -> account == null ? 0 : account.remaining() + account.surplus();
            case NONE, CONFIRMED, CANCELED, REFUNDED, REJECTED -> 0;
            case PREPARING, CONFIRMING, CANCELING, REFUNDING, MANUAL_REVIEW ->
                throw new AssertionError("not at rest: " + state);
        };
        long sold = account == null
                ? 0
                : account.keptSold() + (state.status() == Reservation.Status.CONFIRMED ? account.remaining() : 0);
        assertThat(life.reserved())
                .as("Redis holds what the journal says: %s", state)
                .isEqualTo(reserved);
        assertThat(life.sold())
                .as("Redis has sold what the journal says: %s", state)
                .isEqualTo(sold);
    }
}
