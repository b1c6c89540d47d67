package io.holdfast.localstack.fault;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** What is wrong with the line at the moment; shared by all connections of one proxy. */
final class Faults {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<Trap> traps = new CopyOnWriteArrayList<>();
    private boolean blackhole;
    private boolean refuse;
    private boolean dropReplies;
    private Optional<Mute> mute = Optional.empty();
    private Duration delay = Duration.ZERO;

    void change(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void heal() {
        change(() -> {
            blackhole = false;
            refuse = false;
            dropReplies = false;
            mute = Optional.empty();
            delay = Duration.ZERO;
            traps.clear();
        });
    }

    void blackhole() {
        change(() -> blackhole = true);
    }

    void refuse() {
        change(() -> refuse = true);
    }

    void dropReplies() {
        change(() -> dropReplies = true);
    }

    void mute(Mute wanted) {
        change(() -> mute = Optional.of(wanted));
    }

    /** What silences the server from this piece of a request on, if anything does. */
    Optional<Mute> mutedBy(Recent stream, byte[] bytes, int length) {
        return read(() -> mute).filter(wanted -> stream.contains(wanted.text(), bytes, length));
    }

    void delay(Duration each) {
        change(() -> delay = each);
    }

    void set(Trap trap) {
        traps.add(trap);
    }

    boolean refuses() {
        return read(() -> refuse);
    }

    boolean dropsReplies() {
        return read(() -> dropReplies);
    }

    /** Holds a request back for the delay and for as long as the line is dead. False if the connection was cut meanwhile. */
    boolean passRequest(BooleanSupplier cut) throws InterruptedException {
        lock.lock();
        try {
            long left = delay.toNanos();
            while (left > 0 && !delay.isZero() && !cut.getAsBoolean()) {
                left = changed.awaitNanos(left);
            }
            return passReply(cut);
        } finally {
            lock.unlock();
        }
    }

    /** Holds bytes back for as long as the line is dead. False if the connection was cut meanwhile. */
    boolean passReply(BooleanSupplier cut) throws InterruptedException {
        return passReply(Optional.empty(), cut);
    }

    /** As {@link #passReply(BooleanSupplier)}, and for as long as this connection's silence lasts. */
    boolean passReply(Optional<Mute> muted, BooleanSupplier cut) throws InterruptedException {
        lock.lock();
        try {
            while ((blackhole || muted.isPresent() && muted.equals(mute)) && !cut.getAsBoolean()) {
                changed.await(1, TimeUnit.MINUTES);
            }
            return !cut.getAsBoolean();
        } finally {
            lock.unlock();
        }
    }

    /** The trap that this piece of a stream springs, which is then nobody else's. */
    Optional<Trap> sprungBy(Recent stream, byte[] bytes, int length) {
        Optional<Trap> sprung = traps.stream()
                .filter(trap -> stream.contains(trap.text(), bytes, length) && trap.take())
                .findFirst();
        sprung.ifPresent(traps::remove);
        return sprung;
    }

    private <T> T read(Supplier<T> value) {
        lock.lock();
        try {
            return value.get();
        } finally {
            lock.unlock();
        }
    }
}
