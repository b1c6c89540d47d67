package io.holdfast.simulation.world;

import io.holdfast.engine.machine.Verdict;
import io.holdfast.messaging.event.PoisonReason;
import io.holdfast.messaging.event.RawEvent;
import io.holdfast.messaging.in.MessagingListener;
import io.holdfast.messaging.in.Whom;

/** Hears nothing of messaging: a world is looked at through its journals and stores. */
final class NoListener implements MessagingListener {

    @Override
    public void told(String type, Verdict verdict, boolean repeated) {}

    @Override
    public void ignored(String type) {}

    @Override
    public void handled(String topic) {}

    @Override
    public void parked(RawEvent event, String reason) {}

    @Override
    public void unparked(String type) {}

    @Override
    public void buried(RawEvent event, PoisonReason reason, String detail) {}

    @Override
    public void retried(Whom whom, int attempt, String why) {}

    @Override
    public void positionLost(String topic, int partition, long dropped) {}

    @Override
    public void broke(String what, Throwable failure) {}
}
