package io.holdfast.lua.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.StockScripts;
import io.holdfast.lua.script.ScriptRunner;
import io.holdfast.lua.script.StockScript;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** The suite on something that does nothing: a test that passes there proves nothing anywhere. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SuiteNeverPassesEmptyTest {

    @Test
    void every_test_of_the_suite_fails_on_an_implementation_that_does_nothing() throws IllegalAccessException {
        List<Method> tests = Arrays.stream(StockScriptsConformance.class.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Test.class))
                .toList();
        List<String> passed = new ArrayList<>();
        for (Method test : tests) {
            test.setAccessible(true);
            try {
                test.invoke(onNothing());
                passed.add(test.getName());
            } catch (InvocationTargetException failed) {
                assertThat(failed.getCause()).as(test.getName()).isNotNull();
            }
        }
        assertThat(tests).hasSizeGreaterThan(20);
        assertThat(passed).isEmpty();
    }

    private static StockScriptsConformance onNothing() {
        return new StockScriptsConformance() {
            @Override
            protected ScriptsUnderTest subject() {
                return new Nothing();
            }
        };
    }

    private static final class Nothing extends ScriptRunner implements ScriptsUnderTest {
        @Override
        protected <Q, R> CompletionStage<Outcome<R>> run(StockScript<Q, R> script, Q request) {
            return CompletableFuture.completedFuture(Outcome.unavailable("does nothing"));
        }

        @Override
        public StockScripts scripts() {
            return this;
        }

        @Override
        public List<?> raw(String script, List<String> keys, List<String> arguments) {
            return List.of();
        }

        @Override
        public String processId() {
            return "none";
        }

        @Override
        public Map<String, String> hash(String key) {
            return Map.of();
        }

        @Override
        public void put(String key, String field, String value) {}

        @Override
        public void removeField(String key, String field) {}

        @Override
        public void remove(String key) {}

        @Override
        public void close() {}
    }
}
