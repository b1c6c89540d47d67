package io.holdfast.simulation.variant;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.StockScripts;
import io.holdfast.simulation.world.Twist;
import io.holdfast.simulation.world.Weather;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

/** One thing done wrong. Named by its class. */
public abstract class WrongVariant extends Twist {

    /** What is done wrong, in a sentence without its subject. */
    public abstract String what();

    /** Weathers in which it shows; it is tried in each of them in turn. */
    public List<Weather> weathers() {
        return List.of(Weather.FAIR);
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
                    try {
                        return ((CompletionStage<?>) method.invoke(scripts, arguments)).thenApply(outcome -> {
                            listener.accept(arguments[0], (Outcome<?>) outcome);
                            return outcome;
                        });
                    } catch (InvocationTargetException e) {
                        throw new AssertionError("a port must answer, not throw", e);
                    }
                });
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
