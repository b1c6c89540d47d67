package io.holdfast.reservation.entity;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.machine.Decision;
import io.holdfast.lua.PoolInitRequest;
import io.holdfast.lua.PoolStatus;
import io.holdfast.lua.PoolStatusRequest;
import io.holdfast.lua.model.RedisModel;
import io.holdfast.reservation.conformance.KnownPools;
import io.holdfast.reservation.conformance.ScriptCompensations;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.DenialReason;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.Epochs;
import io.holdfast.reservation.domain.Fact.OrderCreatedFailed;
import io.holdfast.reservation.domain.Group;
import io.holdfast.reservation.domain.GroupLine;
import io.holdfast.reservation.domain.Line;
import io.holdfast.reservation.domain.OrderType;
import io.holdfast.reservation.domain.PoolChoice;
import io.holdfast.reservation.domain.PoolEpoch;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Reservation;
import io.holdfast.reservation.domain.Reservation.Status;
import io.holdfast.reservation.domain.ReservationCommand;
import io.holdfast.reservation.domain.ReservationEvent;
import io.holdfast.reservation.domain.ReservationMachine;
import io.holdfast.reservation.domain.Terms;
import io.holdfast.reservation.port.OrderDirectory;
import io.holdfast.reservation.port.OrderRequests;
import io.holdfast.reservation.port.PoolStanding;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Three lines in two pools, by the real scripts. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class GroupTryTest {

    private static final Instant NOW = Instant.parse("2026-07-25T12:30:00Z");
    private static final PoolId SOUP = PoolId.parse("m-1:soup:2026-07-25");
    private static final PoolId BREAD = PoolId.parse("m-1:bread:2026-07-25");
    private static final String ORDER = "order-1";

    private final RedisModel redis = new RedisModel();
    private final KnownPools pools = new KnownPools();
    private final ReservationMachine machine = new ReservationMachine(EffectPolicies.standard());
    private final Map<String, Reservation> reservations = new TreeMap<>();
    private final Set<String> silent = new HashSet<>();
    private final ReservationEffects effects = new ReservationEffects(
            redis,
            pools,
            new ScriptCompensations(redis, pools, NOW),
            OrderDirectory.none(),
            OrderRequests.none(),
            this::callIn,
            () -> NOW);

    private final Group group =
            new Group(List.of(line("soup", "item-1", 2), line("bread", "item-2", 1), line("bread", "item-3", 2)));
    private final GroupLine deciding = group.deciding();
    private final List<GroupLine> others = group.without(deciding.reservationId());

    @AfterEach
    void close() {
        redis.close();
    }

    private static GroupLine line(String dish, String item, long quantity) {
        return new GroupLine(
                PoolId.parse("m-1:" + dish + ":2026-07-25"),
                new Terms(
                        new Line("m-1", dish, ORDER, item, Optional.empty()), quantity, new OrderType.InstantOrder()));
    }

    private void opened(long soup, long bread) {
        open(SOUP, soup);
        open(BREAD, bread);
    }

    private void open(PoolId pool, long total) {
        redis.poolInit(new PoolInitRequest(pool.value(), 1, "INIT:i", total, NOW));
        pools.stands(pool, new PoolStanding.Serving(1));
    }

    private CompletionStage<Outcome<Reservation>> callIn(
            Group asked, GroupLine line, Instant attentionAt, Optional<Epochs> epochs, Duration patience) {
        if (silent.contains(line.reservationId())) {
            return CompletableFuture.completedFuture(Outcome.unknown("no answer"));
        }
        give(line.reservationId(), request(line, asked, epochs));
        return CompletableFuture.completedFuture(Outcome.known(reservation(line)));
    }

    private static ReservationCommand request(GroupLine line, Group asked, Optional<Epochs> epochs) {
        return new ReservationCommand.Reserve(
                line.terms(), new PoolChoice.Named(line.pool()), NOW.plusSeconds(900), Optional.of(asked), epochs);
    }

    private void ask(GroupLine line) {
        give(line.reservationId(), request(line, group, Optional.empty()));
    }

    private Decision<ReservationEvent> give(String id, ReservationCommand command) {
        Reservation state = reservations.getOrDefault(id, machine.initial(id));
        Decision<ReservationEvent> decision = machine.decide(state, command, NOW);
        for (ReservationEvent event : decision.events()) {
            state = machine.evolve(state, event);
        }
        reservations.put(id, state);
        return decision;
    }

    private Reservation reservation(GroupLine line) {
        return reservations.getOrDefault(line.reservationId(), machine.initial(line.reservationId()));
    }

    private Outcome<ReservationCommand> attempt(GroupLine line) {
        return effects.perform(
                        line.reservationId(),
                        machine.owe(reservation(line)).effects().getFirst())
                .toCompletableFuture()
                .join();
    }

    /** Performs what the line owes until it rests or is not answered. */
    private void run(GroupLine line) {
        while (!machine.owe(reservation(line)).effects().isEmpty()
                && attempt(line) instanceof Outcome.Known<ReservationCommand>(var command)) {
            give(line.reservationId(), command);
        }
    }

    private List<Status> statuses() {
        List<Status> statuses = new ArrayList<>();
        group.lines().forEach(line -> statuses.add(reservation(line).status()));
        return statuses;
    }

    private List<DenialReason> reasons() {
        List<DenialReason> reasons = new ArrayList<>();
        for (GroupLine line : group.lines()) {
            if (reservation(line).unmarked() instanceof Reservation.Rejected rejected) {
                reasons.add(rejected.reason());
            }
        }
        return reasons;
    }

    private String reserved(PoolId pool) {
        return redis.hash("hf:{" + pool.value() + "}:stock").get("reserved");
    }

    @Test
    void the_line_that_decides_brings_the_others_in_and_holds_for_all() {
        opened(5, 5);
        ask(deciding);

        run(deciding);

        assertThat(reservation(deciding).status()).isEqualTo(Status.RESERVED);
        assertThat(others)
                .allSatisfy(line -> assertThat(reservation(line).status()).isEqualTo(Status.PREPARING));
        assertThat(reserved(SOUP)).isEqualTo("2");
        assertThat(reserved(BREAD)).isEqualTo("3");

        others.forEach(this::run);

        assertThat(statuses()).containsOnly(Status.RESERVED);
        assertThat(reserved(SOUP)).isEqualTo("2");
        assertThat(reserved(BREAD)).isEqualTo("3");
    }

    @Test
    void no_unit_moves_before_every_line_has_the_group_in_its_journal() {
        opened(5, 5);
        ask(deciding);
        silent.add(others.getLast().reservationId());

        assertThat(attempt(deciding)).isInstanceOf(Outcome.Unavailable.class);
        assertThat(reserved(SOUP)).isEqualTo("0");
        assertThat(reserved(BREAD)).isEqualTo("0");

        silent.clear();
        group.lines().forEach(this::run);

        assertThat(statuses()).containsOnly(Status.RESERVED);
    }

    @Test
    void another_line_waits_until_the_decision_is_journaled_and_has_it_made_should_nobody_have_asked() {
        opened(5, 5);
        ask(others.getFirst());

        assertThat(attempt(others.getFirst())).isInstanceOf(Outcome.Unavailable.class);
        assertThat(reservation(deciding).status()).as("it was asked").isEqualTo(Status.PREPARING);

        attempt(deciding); // and nobody hears of it
        assertThat(attempt(others.getFirst())).isInstanceOf(Outcome.Unavailable.class);

        group.lines().forEach(this::run);
        assertThat(statuses()).containsOnly(Status.RESERVED);
        assertThat(reserved(BREAD)).isEqualTo("3");
    }

    @Test
    void one_short_pool_turns_all_lines_down_and_each_says_why() {
        opened(5, 2);
        ask(deciding);

        group.lines().forEach(this::run);

        assertThat(statuses()).containsOnly(Status.REJECTED);
        assertThat(reasons())
                .containsExactlyInAnyOrder(DenialReason.OTHER_LINE, DenialReason.SHORT, DenialReason.SHORT);
        assertThat(reserved(SOUP)).isEqualTo("0");
        assertThat(reserved(BREAD)).isEqualTo("0");
    }

    @Test
    void a_paused_pool_turns_all_lines_down() {
        opened(5, 5);
        redis.poolStatus(new PoolStatusRequest(BREAD.value(), 1, "STATUS:p", PoolStatus.PAUSED, NOW));
        ask(deciding);

        group.lines().forEach(this::run);

        assertThat(statuses()).containsOnly(Status.REJECTED);
        assertThat(reasons())
                .containsExactlyInAnyOrder(DenialReason.OTHER_LINE, DenialReason.PAUSED, DenialReason.PAUSED);
    }

    @Test
    void a_line_whose_order_failed_before_it_was_asked_for_turns_the_others_down() {
        for (GroupLine dead : group.lines()) {
            reservations.clear();
            redis.wipe();
            opened(5, 5);
            give(dead.reservationId(), new OrderCreatedFailed(ORDER, "overtook its request"));
            group.without(dead.reservationId()).forEach(this::ask);

            group.lines().forEach(this::run);
            group.lines().forEach(this::run);

            assertThat(reservation(dead).status()).isEqualTo(Status.CANCELED);
            assertThat(reasons()).containsExactly(DenialReason.OTHER_LINE, DenialReason.OTHER_LINE);
            assertThat(reserved(SOUP)).isEqualTo("0");
            assertThat(reserved(BREAD)).isEqualTo("0");
        }
    }

    @Test
    void a_line_that_was_asked_for_on_its_own_keeps_what_it_has_and_the_group_is_turned_down() {
        for (GroupLine alone : group.lines()) {
            reservations.clear();
            redis.wipe();
            opened(5, 5);
            give(
                    alone.reservationId(),
                    new ReservationCommand.Reserve(
                            alone.terms(), new PoolChoice.Named(alone.pool()), NOW.plusSeconds(900)));
            run(alone);
            group.without(alone.reservationId()).forEach(this::ask);

            group.lines().forEach(this::run);
            group.lines().forEach(this::run);

            assertThat(reservation(alone).status()).isEqualTo(Status.RESERVED);
            assertThat(reasons()).containsExactly(DenialReason.OTHER_LINE, DenialReason.OTHER_LINE);
            assertThat(reserved(alone.pool()))
                    .isEqualTo(Long.toString(alone.terms().quantity()));
        }
    }

    @Test
    void a_failure_that_was_noted_meanwhile_releases_its_line_and_no_other() {
        opened(5, 5);
        ask(deciding);
        GroupLine failed = others.getFirst();
        attempt(deciding);
        give(failed.reservationId(), new OrderCreatedFailed(ORDER, "payment refused"));

        group.lines().forEach(this::run);

        assertThat(reservation(failed).status()).isEqualTo(Status.CANCELED);
        assertThat(statuses()).filteredOn(Status.RESERVED::equals).hasSize(2);
    }

    @Test
    void a_copy_of_the_deciding_line_that_is_out_of_date_moves_nothing_and_finds_out() {
        opened(5, 5);
        ask(deciding);
        Reservation outOfDate = reservation(deciding);
        group.lines().forEach(this::run);
        Reservation current = reservation(deciding);

        reservations.put(deciding.reservationId(), outOfDate);
        assertThat(attempt(deciding))
                .as("something to write, so that it finds out")
                .isEqualTo(Outcome.known(new ReservationCommand.SeeVerification(1)));
        reservations.put(deciding.reservationId(), current);

        assertThat(statuses()).containsOnly(Status.RESERVED);
        assertThat(reserved(SOUP)).isEqualTo("2");
        assertThat(reserved(BREAD)).isEqualTo("3");
    }

    /** As a rebuild leaves it that found nothing held. */
    private void loadedAnew(PoolId pool) {
        redis.put("hf:{" + pool.value() + "}:stock", "epoch", "2");
        pools.stands(pool, new PoolStanding.Serving(2));
    }

    @Test
    void the_script_is_called_only_under_epochs_that_the_journal_of_the_line_has_of_every_pool() {
        opened(5, 5);
        ask(deciding);
        loadedAnew(BREAD);
        loadedAnew(SOUP);

        for (int pool = 0; pool < 2; pool++) {
            Outcome<ReservationCommand> outcome = attempt(deciding);
            assertThat(reserved(SOUP)).isEqualTo("0");
            assertThat(reserved(BREAD)).isEqualTo("0");
            assertThat(outcome instanceof Outcome.Known<ReservationCommand>(var command)
                            && give(deciding.reservationId(), command).events().getFirst()
                                    instanceof ReservationEvent.EpochSeen(long _, PoolId _, long epoch)
                            && epoch == 2)
                    .as("%s", outcome)
                    .isTrue();
        }
        group.lines().forEach(this::run);

        assertThat(statuses()).containsOnly(Status.RESERVED);
        assertThat(reserved(SOUP)).isEqualTo("2");
        assertThat(reserved(BREAD)).isEqualTo("3");
        assertThat(pools.told(SOUP)).isEmpty();
        assertThat(pools.told(BREAD)).isEmpty();
    }

    @Test
    void lines_that_are_brought_in_have_the_epochs_of_whoever_brought_them_in() {
        opened(5, 5);
        loadedAnew(BREAD);
        Optional<Epochs> known = Epochs.with(Optional.empty(), new PoolEpoch(BREAD, 2));
        give(others.getFirst().reservationId(), request(others.getFirst(), group, known));

        attempt(others.getFirst());
        attempt(deciding);

        assertThat(group.lines())
                .allSatisfy(line -> assertThat(
                                reservation(line).asked().orElseThrow().epochs())
                        .isEqualTo(known));
        assertThat(reserved(BREAD)).isEqualTo("3");
    }

    @Test
    void a_copy_of_any_line_that_was_left_behind_moves_nothing_once_a_pool_of_the_group_was_loaded_anew() {
        for (GroupLine left : group.lines()) {
            reservations.clear();
            redis.wipe();
            opened(5, 5);
            group.lines().forEach(this::ask);
            Map<String, Reservation> leftBehind = new TreeMap<>(reservations);
            group.lines().forEach(this::run);
            for (GroupLine line : group.lines()) {
                give(line.reservationId(), new OrderCreatedFailed(ORDER, "no such order"));
                run(line);
            }
            assertThat(statuses()).containsOnly(Status.CANCELED);
            for (GroupLine line : group.lines()) {
                redis.remove("hf:{" + line.pool().value() + "}:r:" + line.reservationId());
            }
            loadedAnew(left.pool());
            Map<String, Reservation> ended = new TreeMap<>(reservations);
            reservations.putAll(leftBehind);

            assertThat(attempt(deciding))
                    .as("the deciding line, with %s loaded anew", left.pool())
                    .isEqualTo(Outcome.known(new ReservationCommand.SeeEpoch(0, new PoolEpoch(left.pool(), 2))));
            reservations.putAll(ended);
            reservations.put(left.reservationId(), leftBehind.get(left.reservationId()));
            if (!left.equals(deciding)) {
                assertThat(attempt(left))
                        .as("another line, of a group that was held")
                        .isEqualTo(Outcome.known(new ReservationCommand.SeeEpoch(0, new PoolEpoch(left.pool(), 2))));
            }
            assertThat(pools.told(left.pool())).isEmpty();
            assertThat(reserved(SOUP)).isEqualTo("0");
            assertThat(reserved(BREAD)).isEqualTo("0");
        }
    }

    @Test
    void a_pool_that_is_not_served_keeps_the_group_waiting_and_nothing_moves() {
        opened(5, 5);
        pools.stands(BREAD, new PoolStanding.Suspect("the test says so"));
        ask(deciding);

        assertThat(attempt(deciding)).isInstanceOf(Outcome.Unavailable.class);
        assertThat(reserved(SOUP)).isEqualTo("0");

        pools.stands(BREAD, new PoolStanding.Serving(1));
        group.lines().forEach(this::run);
        assertThat(statuses()).containsOnly(Status.RESERVED);
    }

    @Test
    void a_pool_that_has_ended_turns_the_group_down_and_is_not_asked() {
        Books last = Books.expected(1, 9, 5, 0, 5);
        for (PoolId gone : List.of(SOUP, BREAD)) {
            reservations.clear();
            redis.wipe();
            opened(5, 5);
            redis.remove("hf:{" + gone.value() + "}:stock");
            pools.stands(gone, new PoolStanding.Archived(last));
            ask(deciding);

            group.lines().forEach(this::run);

            assertThat(statuses()).containsOnly(Status.REJECTED);
            assertThat(reasons())
                    .allMatch(reason -> reason == DenialReason.OTHER_LINE || reason == DenialReason.CLOSED);
            assertThat(redis.hash("hf:{" + gone.value() + "}:r:" + deciding.reservationId()))
                    .isEmpty();
            assertThat(pools.told(SOUP)).isEmpty();
            assertThat(pools.told(BREAD)).isEmpty();
        }
    }

    @Test
    void a_line_of_a_held_group_in_a_pool_that_has_ended_is_for_a_person_to_look_at() {
        opened(5, 5);
        ask(deciding);
        run(deciding);
        GroupLine left = others.getFirst();
        pools.stands(left.pool(), new PoolStanding.Archived(Books.expected(1, 9, 5, 0, 5)));

        assertThat(attempt(left))
                .isInstanceOfSatisfying(
                        Outcome.Known.class,
                        known -> assertThat(known.value()).isInstanceOf(ReservationCommand.ContradictionFound.class));
    }

    @Test
    void a_pool_that_redis_must_not_answer_so_of_is_told_and_not_another() {
        opened(5, 5);
        redis.remove("hf:{" + BREAD.value() + "}:stock");
        ask(deciding);

        assertThat(attempt(deciding)).isInstanceOf(Outcome.Unavailable.class);

        assertThat(pools.told(BREAD)).hasSize(1);
        assertThat(pools.told(SOUP)).isEmpty();
    }

    @Test
    void a_line_of_a_held_group_whose_fence_is_gone_has_its_pool_compared() {
        opened(5, 5);
        ask(deciding);
        run(deciding);
        GroupLine lost = others.getFirst();
        redis.remove("hf:{" + lost.pool().value() + "}:r:" + lost.reservationId());

        assertThat(attempt(lost)).isInstanceOf(Outcome.Unavailable.class);

        assertThat(pools.told(lost.pool())).singleElement().asString().contains("MISSING");
        assertThat(reservation(lost).status()).isEqualTo(Status.PREPARING);
    }
}
