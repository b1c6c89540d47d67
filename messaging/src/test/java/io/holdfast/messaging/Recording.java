package io.holdfast.messaging;

import io.holdfast.engine.machine.Verdict;
import io.holdfast.messaging.event.PoisonReason;
import io.holdfast.messaging.event.RawEvent;
import io.holdfast.messaging.in.MessagingListener;
import io.holdfast.messaging.in.Whom;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Remembers what it was told. */
public final class Recording implements MessagingListener {

    public final List<String> told = new CopyOnWriteArrayList<>();
    public final List<String> parked = new CopyOnWriteArrayList<>();
    public final List<String> buried = new CopyOnWriteArrayList<>();
    public final List<String> broken = new CopyOnWriteArrayList<>();
    public final List<String> lost = new CopyOnWriteArrayList<>();
    public final AtomicInteger handled = new AtomicInteger();
    public final AtomicInteger ignored = new AtomicInteger();
    public final AtomicInteger retried = new AtomicInteger();
    public final AtomicInteger unparked = new AtomicInteger();

    @Override
    public void told(String type, Verdict verdict, boolean repeated) {
        told.add(type + " " + verdict.getClass().getSimpleName() + (repeated ? " again" : ""));
    }

    @Override
    public void ignored(String type) {
        ignored.incrementAndGet();
    }

    @Override
    public void handled(String topic) {
        handled.incrementAndGet();
    }

    @Override
    public void parked(RawEvent event, String reason) {
        parked.add(reason);
    }

    @Override
    public void positionLost(String topic, int partition, long dropped) {
        lost.add(topic + "-" + partition + " " + dropped);
    }

    @Override
    public void unparked(String type) {
        unparked.incrementAndGet();
    }

    @Override
    public void buried(RawEvent event, PoisonReason reason, String detail) {
        buried.add(reason.name());
    }

    @Override
    public void retried(Whom whom, int attempt, String why) {
        retried.incrementAndGet();
    }

    @Override
    public void broke(String what, Throwable failure) {
        broken.add(what + ": " + failure);
    }
}
