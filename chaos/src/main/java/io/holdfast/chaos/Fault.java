package io.holdfast.chaos;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** One way in which a fleet is disturbed. Each begins, lasts, and is made good; afterwards nothing of it is left but what it has done. */
sealed interface Fault {

    /** What it is called in the report. */
    String kind();

    /** To whom it is done; empty where there is only one. */
    default String what() {
        return "";
    }

    /** Waits until it may be done. */
    default void await(Stage stage) throws InterruptedException {}

    /** Does it. */
    void begin(Stage stage) throws InterruptedException, NotHarmless;

    /** Makes it good. Nodes that it took away are started, and need not serve yet. */
    void end(Stage stage) throws InterruptedException;

    /** Whether Redis may have forgotten what it had answered. */
    default boolean losesRedis() {
        return false;
    }

    /** Whether nothing else may be there meanwhile: it takes a store from all nodes, or must disturb nobody. */
    default boolean alone() {
        return false;
    }

    /** Whether it may disturb nobody. */
    default boolean harmless() {
        return false;
    }

    /** Who can't serve while it lasts, and must say so. */
    default Optional<Member> unready() {
        return Optional.empty();
    }

    /** What may disturb nobody did not go as it should. */
    final class NotHarmless extends Exception {
        private static final long serialVersionUID = 1L;

        private final String what;

        NotHarmless(String what) {
            super(what);
            this.what = what;
        }

        String what() {
            return what;
        }
    }

    /** A node dies, as a machine does. */
    record Kill(Member member) implements Fault {
        @Override
        public String kind() {
            return "node killed";
        }

        @Override
        public String what() {
            return member.name();
        }

        @Override
        public void begin(Stage stage) {
            member.kill();
        }

        @Override
        public void end(Stage stage) {
            member.start();
        }
    }

    /** A node stands still, as a machine does that is suspended, and goes on as if nothing had been. */
    record Freeze(Member member) implements Fault {
        @Override
        public String kind() {
            return "node frozen";
        }

        @Override
        public String what() {
            return member.name();
        }

        @Override
        public void begin(Stage stage) {
            member.freeze();
        }

        @Override
        public void end(Stage stage) {
            member.thaw();
        }
    }

    /** A node reaches no other node and is reached by none; stores and callers it still has. */
    record Isolate(Member member) implements Fault {
        @Override
        public String kind() {
            return "node cut off from the others";
        }

        @Override
        public String what() {
            return member.name();
        }

        @Override
        public void begin(Stage stage) {
            for (Member other : stage.members()) {
                if (other != member) {
                    other.lines().shutTo(member.lines());
                    member.lines().shutTo(other.lines());
                }
            }
        }

        @Override
        public void end(Stage stage) {
            stage.members().forEach(one -> one.lines().openToNodes());
        }
    }

    /**
     * A node does not reach a store.
     *
     * @param dead whether nothing passes and nothing is closed; else the store seems down
     */
    record CutStore(Member member, Lines.Store store, boolean dead) implements Fault {
        @Override
        public String kind() {
            return "line of a node to " + name(store) + " cut";
        }

        @Override
        public String what() {
            return member.name() + (dead ? ", silent" : ", refused");
        }

        @Override
        public void begin(Stage stage) {
            var line = member.lines().to(store);
            if (dead) {
                line.blackhole();
            } else {
                line.refuse();
            }
        }

        @Override
        public void end(Stage stage) {
            member.lines().to(store).heal();
        }

        @Override
        public Optional<Member> unready() {
            return switch (store) {
                case POSTGRES, REDIS -> Optional.of(member);
                case KAFKA -> Optional.empty(); // events wait; the node serves
            };
        }

        private static String name(Lines.Store store) {
            return switch (store) {
                case POSTGRES -> "PostgreSQL";
                case REDIS -> "Redis";
                case KAFKA -> "Kafka";
            };
        }
    }

    /** Redis dies and comes back with what is in its file. */
    record RestartRedis() implements Fault {
        @Override
        public String kind() {
            return "Redis killed and started";
        }

        @Override
        public boolean alone() {
            return true;
        }

        @Override
        public boolean losesRedis() {
            return true; // what it answered within the last moment need not be in its file
        }

        @Override
        public void begin(Stage stage) {
            stage.redis().restart();
        }

        @Override
        public void end(Stage stage) {}
    }

    /** Redis forgets everything, and its process lives on. */
    record FlushRedis() implements Fault {
        @Override
        public String kind() {
            return "Redis flushed";
        }

        @Override
        public boolean alone() {
            return true;
        }

        @Override
        public boolean losesRedis() {
            return true;
        }

        @Override
        public void begin(Stage stage) {
            stage.redis().flush();
        }

        @Override
        public void end(Stage stage) {}
    }

    /**
     * Redis dies, and a replica takes its place.
     *
     * @param behind how long it had heard nothing: what was answered in that time is lost
     */
    record FailOver(Duration behind) implements Fault {
        @Override
        public String kind() {
            return "Redis replaced by its replica";
        }

        @Override
        public String what() {
            return behind.toMillis() + " ms behind";
        }

        @Override
        public boolean alone() {
            return true;
        }

        @Override
        public boolean losesRedis() {
            return true;
        }

        @Override
        public void begin(Stage stage) throws InterruptedException {
            stage.redis().deafen();
            TimeUnit.MILLISECONDS.sleep(behind.toMillis());
            stage.redis().failOver();
            stage.leadToPrimary();
        }

        @Override
        public void end(Stage stage) {
            stage.redis().comeBack();
        }
    }

    /** PostgreSQL ends at once, without writing anything more, and recovers from its log. */
    record RestartPostgres() implements Fault {
        @Override
        public String kind() {
            return "PostgreSQL stopped at once";
        }

        @Override
        public boolean alone() {
            return true;
        }

        @Override
        public void begin(Stage stage) {
            stage.postgres().stopImmediately();
        }

        @Override
        public void end(Stage stage) {
            stage.postgres().start();
        }
    }

    /** The broker dies and comes back. */
    record RestartBroker() implements Fault {
        @Override
        public String kind() {
            return "broker killed";
        }

        @Override
        public boolean alone() {
            return true;
        }

        @Override
        public void begin(Stage stage) {
            stage.broker().kill();
        }

        @Override
        public void end(Stage stage) {
            stage.broker().start();
        }
    }

    /**
     * One node after the other is asked to end and started again, as an update does.
     *
     * @param to the version it is started from
     */
    record Roll(List<Member> members, Distribution to) implements Fault {

        /** Longer than a node takes to finish what it has begun. */
        private static final Duration PATIENCE = Duration.ofSeconds(90);

        public Roll {
            members = List.copyOf(members);
        }

        @Override
        public String kind() {
            return "nodes restarted one by one";
        }

        @Override
        public String what() {
            return members.stream().map(Member::name).collect(Collectors.joining(", ")) + " to " + to.name();
        }

        @Override
        public boolean alone() {
            return true;
        }

        @Override
        public boolean harmless() {
            return true;
        }

        /** Whoever brings an update begins with a fleet that serves. */
        @Override
        public void await(Stage stage) throws InterruptedException {
            stage.awaitReady(stage.members());
        }

        @Override
        public void begin(Stage stage) throws InterruptedException, NotHarmless {
            for (Member member : members) {
                OptionalInt code = member.terminate(PATIENCE);
                if (code.isEmpty() || code.getAsInt() != 0) {
                    member.start();
                    throw new NotHarmless(member.name() + " did not end in order when it was asked to: "
                            + (code.isEmpty() ? "it had to be killed" : "exit code " + code.getAsInt()));
                }
                member.use(to);
                member.start();
                stage.awaitReady(List.of(member));
            }
        }

        @Override
        public void end(Stage stage) {}
    }
}
