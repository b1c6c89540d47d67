package io.holdfast.chaos;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Two calls at once. */
final class Beside {

    private Beside() {}

    /** Makes both, and gives the answer of the first. */
    static <T> T run(Callable<T> one, Callable<T> other) throws InterruptedException {
        var first = new FutureTask<>(one);
        var second = new FutureTask<>(other);
        Thread beside = Thread.startVirtualThread(second);
        first.run();
        beside.join();
        try {
            second.get();
            return first.get();
        } catch (ExecutionException e) {
            throw new ChaosException("a call failed in a way no call may: " + e.getCause(), e);
        }
    }
}
