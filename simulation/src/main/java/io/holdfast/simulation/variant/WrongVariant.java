package io.holdfast.simulation.variant;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.StockScripts;
import io.holdfast.simulation.world.SaleDay;
import io.holdfast.simulation.world.Twist;
import io.holdfast.simulation.world.Weather;
import io.holdfast.testkit.simulation.World;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/** One thing done wrong. Named by its class. */
public abstract class WrongVariant extends Twist {

    private static final Duration SHORTLY = Duration.ofSeconds(2);
    private static final Duration LONG_AFTER = Duration.ofSeconds(25);

    /** What is done wrong, in a sentence without its subject. */
    public abstract String what();

    /** Weathers in which it shows; it is tried in each of them in turn. */
    public List<Weather> weathers() {
        return List.of(Weather.FAIR);
    }

    /** The network of its worlds, which a right fleet bears too; that of any other world unless it says otherwise. */
    StockScripts network(SaleDay day, StockScripts scripts) {
        return scripts;
    }

    @Override
    public StockScripts scripts(SaleDay day, StockScripts scripts) {
        return network(day, scripts);
    }

    /** Whether more happens in its worlds, or a worse network is in them, so that it shows. */
    public boolean addsToItsWorlds() {
        return false;
    }

    /** What it adds to its worlds, with nothing done wrong: every claim holds in these. */
    public final Twist withoutItsFault() {
        WrongVariant variant = this;
        return new Twist() {
            @Override
            public StockScripts scripts(SaleDay day, StockScripts scripts) {
                return variant.network(day, scripts);
            }

            @Override
            public void happens(SaleDay day) {
                variant.happens(day);
            }
        };
    }

    /** Its name. */
    public final String name() {
        return getClass().getSimpleName();
    }

    /**
     * The text with something else at one place.
     *
     * @throws IllegalStateException if the place is not there, or more than once: then the script is not what this variant was made for
     */
    static String otherwise(String text, String place, String instead) {
        int found = text.indexOf(place);
        if (found < 0 || text.indexOf(place, found + 1) >= 0) {
            throw new IllegalStateException("not at exactly one place of the script: " + place);
        }
        return text.substring(0, found) + instead + text.substring(found + place.length());
    }

    /** Scripts of which somebody hears what they answer. */
    static StockScripts heard(StockScripts scripts, BiConsumer<Object, Outcome<?>> listener) {
        return (StockScripts) Proxy.newProxyInstance(
                StockScripts.class.getClassLoader(), new Class<?>[] {StockScripts.class}, (_, method, arguments) -> {
                    return called(scripts, method, arguments).thenApply(outcome -> {
                        listener.accept(arguments[0], (Outcome<?>) outcome);
                        return outcome;
                    });
                });
    }

    /**
     * A network that is worse than that of the world, which a right fleet bears too: what it calls, and is done with, arrives once more long
     * after; and what it is answered is read late, as by a node that stands still.
     *
     * @param again which calls arrive once more, half of the times
     * @param late which answers are read late, as often
     */
    static StockScripts worseNetwork(
            SaleDay day, StockScripts scripts, Predicate<Object> again, Predicate<Object> late) {
        World world = day.world();
        return (StockScripts) Proxy.newProxyInstance(
                StockScripts.class.getClassLoader(), new Class<?>[] {StockScripts.class}, (_, method, arguments) -> {
                    Object request = arguments[0];
                    if (again.test(request) && world.mishaps().strike("CallComesAgain", 0.5)) {
                        world.timeline()
                                .after(
                                        world.chance().between(SHORTLY, LONG_AFTER),
                                        () -> "once more " + request,
                                        () -> called(scripts, method, arguments));
                    }
                    CompletionStage<?> answer = called(scripts, method, arguments);
                    if (!late.test(request) || !world.mishaps().strike("AnswerReadLate", 0.5)) {
                        return answer;
                    }
                    CompletableFuture<Object> read = new CompletableFuture<>();
                    Duration still = world.chance().between(SHORTLY, LONG_AFTER);
                    answer.whenComplete((outcome, _) ->
                            world.timeline().after(still, () -> "reads late " + outcome, () -> read.complete(outcome)));
                    return read;
                });
    }

    private static CompletionStage<?> called(StockScripts scripts, Method method, Object[] arguments) {
        try {
            return (CompletionStage<?>) method.invoke(scripts, arguments);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new AssertionError("a port must answer, not throw", e);
        }
    }

    /** One whose whole fault is in the text of scripts. */
    abstract static class InScripts extends WrongVariant {

        private final Set<String> scripts;

        /** @param scripts that are run otherwise */
        InScripts(String... scripts) {
            this.scripts = Set.of(scripts);
        }

        @Override
        public final String script(String name, String text) {
            return scripts.contains(name) ? wrong(text) : text;
        }

        /** The text as it is run. */
        abstract String wrong(String text);
    }
}
