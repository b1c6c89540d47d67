package io.holdfast.node;

import io.holdfast.config.Settings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A node whose life is the life of the process: it stops when the process is asked to end. */
public final class NodeProcessLife {

    private static final Logger LOG = LoggerFactory.getLogger(NodeProcessLife.class);
    private static final int REMOVED = 4;
    private static final int NOT_CLEAN = 1;

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
     * @return exit code: 0 stopped in order, 1 something did not stop as it should, 3 no seed node let it in, 4 the other nodes removed it
     */
    public static int run(Settings settings, Consumer<Node> whenServing, List<? extends AutoCloseable> afterwards) {
        var running = new AtomicReference<Node>();
        var hook = new Thread(() -> stopAndEnd(running.get(), afterwards), "holdfast-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        Node node;
        try {
            node = Node.start(settings);
            running.set(node);
            whenServing.accept(node);
        } catch (RuntimeException | Error e) {
            // Whoever called lets go of the stores now: a node that loses them would complain at length.
            unlessTheProcessEnds(hook, () -> stop(running.get(), List.of()));
            throw e;
        }
        Ended how = node.ended().toCompletableFuture().join();
        boolean clean = unlessTheProcessEnds(hook, () -> stop(node, afterwards));
        return switch (how) {
            case STOPPED -> clean ? 0 : NOT_CLEAN;
            case NOT_JOINED -> StartException.EXIT_CODE;
            case REMOVED -> {
                LOG.error("The other nodes removed this one, or it could not see the majority: it has stopped. Start it"
                        + " again.");
                yield REMOVED;
            }
        };
    }

    /** What the hook would do, now and without it; or its end, where the process has begun to end: then it does all in its order. */
    private static boolean unlessTheProcessEnds(Thread hook, BooleanSupplier instead) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            join(hook);
            return true;
        }
        return instead.getAsBoolean();
    }

    private static void join(Thread hook) {
        try {
            hook.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Stops a node whose process was asked to end. A JVM that a signal ends says so by its exit code, however well all was closed: to
     * whoever watches the process that is a crash. So this ends it, as the last thing, with a code that says how it went.
     */
    private static void stopAndEnd(@Nullable Node node, List<? extends AutoCloseable> afterwards) {
        boolean clean = stop(node, afterwards);
        if (node != null) {
            System.out.flush();
            System.err.flush();
            Runtime.getRuntime().halt(clean ? 0 : NOT_CLEAN);
        }
    }

    /** Whether all of it stopped as it should. */
    private static boolean stop(@Nullable Node node, List<? extends AutoCloseable> afterwards) {
        boolean clean = true;
        if (node != null) {
            LOG.info("Stopping: finishing what has begun.");
            long begun = System.nanoTime();
            node.close();
            clean = node.stoppedCleanly();
            LOG.info(
                    "Stopped after {} ms.",
                    Duration.ofNanos(System.nanoTime() - begun).toMillis());
        }
        for (AutoCloseable next : afterwards) {
            try {
                next.close();
            } catch (Exception e) {
                clean = false;
                LOG.warn("Closing failed", e);
            }
        }
        return clean;
    }
}
