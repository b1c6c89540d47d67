package io.holdfast.order.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/** In front of threads: while they are closed, what is to be run waits, so that those who ask meanwhile wait together. */
final class Doors implements Executor {

    private final Executor threads;
    private final List<Runnable> waiting = new ArrayList<>();
    private boolean closed;

    Doors(Executor threads) {
        this.threads = threads;
    }

    synchronized void close() {
        closed = true;
    }

    synchronized void open() {
        closed = false;
        waiting.forEach(threads::execute);
        waiting.clear();
    }

    @Override
    public synchronized void execute(Runnable task) {
        if (closed) {
            waiting.add(task);
        } else {
            threads.execute(task);
        }
    }
}
