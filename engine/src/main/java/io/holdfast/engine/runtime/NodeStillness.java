package io.holdfast.engine.runtime;

import com.typesafe.config.Config;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Extension;
import org.apache.pekko.actor.typed.ExtensionId;
import org.apache.pekko.cluster.Cluster;

/** The {@link Stillness} of a node, kept by a thread of its own, for all machines that run on it. */
final class NodeStillness implements Extension {

    private static final Id ID = new Id();
    private static final int LOOKS = 10;

    private final Cluster cluster;
    private final Stillness stillness;

    private NodeStillness(ActorSystem<?> system) {
        Config config = system.settings().config().getConfig("pekko.cluster");
        // Nobody is replaced sooner: so long the others must see the same before they remove anybody.
        Duration limit = config.getDuration("split-brain-resolver.stable-after");
        Duration noticed = limit.plus(config.getDuration("failure-detector.acceptable-heartbeat-pause"));
        this.cluster = Cluster.get(system);
        this.stillness = new Stillness(limit, noticed, System.nanoTime());
        Thread beat =
                Thread.ofPlatform().daemon().name("holdfast stillness").start(() -> beat(limit.toNanos() / LOOKS));
        system.getWhenTerminated().thenRun(beat::interrupt);
    }

    static NodeStillness of(ActorSystem<?> system) {
        return system.registerExtension(ID);
    }

    private void beat(long every) {
        try {
            while (true) {
                TimeUnit.NANOSECONDS.sleep(every);
                stillness.alive(System.nanoTime());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the actor system has ended
        }
    }

    /** Whether another node may have taken over what runs here. A node that is alone has nobody who could. */
    boolean inDoubt() {
        return stillness.inDoubt(System.nanoTime()) && cluster.state().members().size() > 1;
    }

    private static final class Id extends ExtensionId<NodeStillness> {
        @Override
        public NodeStillness createExtension(ActorSystem<?> system) {
            return new NodeStillness(system);
        }
    }
}
