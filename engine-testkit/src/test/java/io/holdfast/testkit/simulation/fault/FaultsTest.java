package io.holdfast.testkit.simulation.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.testkit.simulation.World;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** Each fault alone, striking always: what is executed, and what the caller hears. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class FaultsTest {

    private final World world = World.of(1);
    private int executed;

    @Test
    void a_lost_reply_was_executed_and_is_unknown_or_never_comes() {
        var heard = call(new LostReply(world, 1));
        assertThat(executed).isEqualTo(1);
        assertThat(!heard.isDone() || heard.join() instanceof Outcome.Unknown).isTrue();
    }

    @Test
    void a_late_execution_is_unknown_first_and_executed_after() {
        var heard = call(new LateExecution(world, 1));
        assertThat(heard.join()).isInstanceOf(Outcome.Unknown.class);
        assertThat(executed).isZero();
        letTimePass();
        assertThat(executed).isEqualTo(1);
    }

    @Test
    void a_duplicate_is_answered_once_and_executed_twice() {
        var heard = call(new DuplicateExecution(world, 1));
        assertThat(heard.join()).isEqualTo(Outcome.known(1));
        letTimePass();
        assertThat(executed).isEqualTo(2);
    }

    @Test
    void a_refused_connection_executes_nothing_and_says_so() {
        var heard = call(new RefusedConnection(world, 1));
        assertThat(heard.join()).isInstanceOf(Outcome.Unavailable.class);
        letTimePass();
        assertThat(executed).isZero();
    }

    @Test
    void a_slow_store_executes_at_once_and_answers_later() {
        var heard = call(new SlowStore(world, 1));
        assertThat(executed).isEqualTo(1);
        assertThat(heard).isNotDone();
        letTimePass();
        assertThat(heard.join()).isEqualTo(Outcome.known(1));
    }

    @Test
    void distance_alone_executes_once_and_answers_what_was_said() {
        var heard = call(new Network(world));
        assertThat(executed).isZero();
        letTimePass();
        assertThat(heard.join()).isEqualTo(Outcome.known(1));
    }

    @Test
    void none_strikes_once_it_is_calm() {
        world.mishaps().calm();
        assertThat(call(new RefusedConnection(world, 1)).join()).isEqualTo(Outcome.known(1));
    }

    @Test
    void any_port_of_outcomes_can_be_put_behind_the_network() {
        Port far = Faults.none(world)
                .around(Port.class, name -> CompletableFuture.completedFuture(Outcome.known("hello " + name)));
        var heard = far.greet("you").toCompletableFuture();
        assertThat(heard).isNotDone();
        letTimePass();
        assertThat(heard.join()).isEqualTo(Outcome.known("hello you"));
    }

    @Test
    void a_port_that_throws_instead_of_answering_is_a_fault_of_its_own() {
        Port far = Faults.none(world).around(Port.class, name -> {
            throw new IllegalStateException(name);
        });
        far.greet("you");
        assertThatThrownBy(this::letTimePass).isInstanceOf(AssertionError.class);
    }

    interface Port {
        CompletionStage<Outcome<String>> greet(String name);
    }

    private CompletableFuture<Outcome<Integer>> call(Fault fault) {
        return fault.<Integer>pass("call", () -> CompletableFuture.completedFuture(Outcome.known(++executed)))
                .toCompletableFuture();
    }

    private void letTimePass() {
        while (world.timeline().step()) {}
    }
}
