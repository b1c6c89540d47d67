package io.holdfast.lua.conformance;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.StockScripts;
import io.holdfast.lua.script.ScriptRunner;
import io.holdfast.lua.script.StockScript;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The suite on something that does nothing. No test class itself: all it would show is failures. */
final class SuiteOnNothing extends StockScriptsConformance {

    @Override
    protected ScriptsUnderTest subject() {
        return new Nothing();
    }

    private static final class Nothing extends ScriptRunner implements ScriptsUnderTest {
        Nothing() {
            super(TAGS);
        }

        @Override
        protected <Q, R> CompletionStage<Outcome<R>> run(StockScript<Q, R> script, Q request, Optional<String> tag) {
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
        public Map<String, Long> scores(String key) {
            return Map.of();
        }

        @Override
        public long lives(String key) {
            return -2;
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
