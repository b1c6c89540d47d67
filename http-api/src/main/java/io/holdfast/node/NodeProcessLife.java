package io.holdfast.node;

import io.holdfast.config.Settings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A node whose life is the life of the process: it stops when the process is asked to end. */
public final class NodeProcessLife {

    private static final Logger LOG = LoggerFactory.getLogger(NodeProcessLife.class);
    private static final int REMOVED = 4;

    private NodeProcessLife() {}

    /** For a main whose answer is what it prints: of what libraries say only what broke is written, on standard error. */
    public static void logErrorsOnly() {
        Logging.errorsOnly();
    }

    /** Writes this process's log lines as the settings say. */
    public static void logAs(Settings settings) {
        Logging.apply(settings.logging());
    }

    /** The same where a person looks on at one node: at INFO, without what it says about sharing work with others. */
    public static void logToAPersonAs(Settings settings) {
        Logging.applyForOne(settings.logging());
    }

    /**
     * Starts a node, and returns when it has ended.
     *
     * @param whenServing told once the node serves
     * @param afterwards closed in this order once the node has stopped
     * @return exit code: 0 stopped, 3 no seed node let it in, 4 the other nodes removed it
     */
    public static int run(Settings settings, Consumer<Node> whenServing, List<? extends AutoCloseable> afterwards) {
        var running = new AtomicReference<Node>();
        var hook = new Thread(() -> stop(running.get(), afterwards), "holdfast-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        Node node;
        try {
            node = Node.start(settings);
            running.set(node);
            whenServing.accept(node);
        } catch (RuntimeException | Error e) {
            // Whoever called lets go of the stores now: a node that loses them would complain at length.
            unlessTheProcessEnds(hook, () -> closeIfStarted(running.get()));
            throw e;
        }
        Ended how = node.ended().toCompletableFuture().join();
        unlessTheProcessEnds(hook, () -> stop(node, afterwards));
        return switch (how) {
            case STOPPED -> 0;
            case NOT_JOINED -> StartException.EXIT_CODE;
            case REMOVED -> {
                LOG.error("The other nodes removed this one, or it could not see the majority: it has stopped. Start it"
                        + " again.");
                yield REMOVED;
            }
        };
    }

    /** What the hook would do, now and without it; or its end, where the process has begun to end: then it does all in its order. */
    private static void unlessTheProcessEnds(Thread hook, Runnable instead) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            join(hook);
            return;
        }
        instead.run();
    }

    private static void join(Thread hook) {
        try {
            hook.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void closeIfStarted(@Nullable Node node) {
        if (node != null) {
            node.close();
        }
    }

    private static void stop(@Nullable Node node, List<? extends AutoCloseable> afterwards) {
        if (node != null) {
            LOG.info("Stopping: finishing what has begun.");
            long begun = System.nanoTime();
            node.close();
            LOG.info(
                    "Stopped after {} ms.",
                    Duration.ofNanos(System.nanoTime() - begun).toMillis());
        }
        for (AutoCloseable next : afterwards) {
            try {
                next.close();
            } catch (Exception e) {
                LOG.warn("Closing failed", e);
            }
        }
    }
}
