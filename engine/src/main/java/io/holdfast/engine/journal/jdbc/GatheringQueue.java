package io.holdfast.engine.journal.jdbc;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * What waits for a thread that takes as much as it can do at once: while it is busy with one load, the next gathers here. First come,
 * first served; bounded.
 *
 * @param <T> what waits
 */
final class GatheringQueue<T> {

    /** How much is taken at a time. */
    interface Load<T> {
        /** Takes one more in, unless that is too much. The first is always taken. */
        boolean takes(T next);
    }

    private final int capacity;
    private final ArrayDeque<T> waiting = new ArrayDeque<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notEmpty = lock.newCondition();
    private boolean closed;

    GatheringQueue(int capacity) {
        this.capacity = capacity;
    }

    /** False if there is no room, or nothing is taken any more. */
    boolean offer(T one) {
        lock.lock();
        try {
            if (closed || waiting.size() >= capacity) {
                return false;
            }
            waiting.addLast(one);
            // Whoever takes is asleep only when nothing waits.
            if (waiting.size() == 1) {
                notEmpty.signal();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for one and takes it, with those behind it that the load has room for. Empty once closed and drained. */
    List<T> take(Load<T> load) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (waiting.isEmpty()) {
                if (closed) {
                    return List.of();
                }
                notEmpty.await();
            }
            List<T> taken = new ArrayList<>(Math.min(waiting.size(), 256));
            for (T next = waiting.peekFirst();
                    next != null && (load.takes(next) || taken.isEmpty());
                    next = waiting.peekFirst()) {
                taken.add(next);
                waiting.removeFirst();
            }
            if (!waiting.isEmpty()) {
                notEmpty.signal();
            }
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** Removes from the front what is over, which is told to each. */
    void removeWhile(Predicate<T> over, Consumer<T> told) {
        List<T> removed = new ArrayList<>();
        lock.lock();
        try {
            while (!waiting.isEmpty() && over.test(waiting.peekFirst())) {
                removed.add(waiting.removeFirst());
            }
        } finally {
            lock.unlock();
        }
        removed.forEach(told);
    }

    /** Removes what is over, wherever it stands, which is told to each. */
    void removeIf(Predicate<T> over, Consumer<T> told) {
        List<T> removed = new ArrayList<>();
        lock.lock();
        try {
            waiting.removeIf(one -> over.test(one) && removed.add(one));
        } finally {
            lock.unlock();
        }
        removed.forEach(told);
    }

    /** Takes nothing more, and returns what still waits. */
    List<T> close() {
        lock.lock();
        try {
            closed = true;
            List<T> left = new ArrayList<>(waiting);
            waiting.clear();
            notEmpty.signalAll();
            return left;
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }
}
