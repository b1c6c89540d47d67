package io.holdfast.lua.model;

import io.holdfast.lua.StockScripts;
import io.holdfast.lua.conformance.ScriptsUnderTest;
import io.holdfast.lua.conformance.StockScriptsConformance;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;

class RedisModelConformanceTest extends StockScriptsConformance {

    private final ModelUnderTest subject = new ModelUnderTest();

    @Override
    protected ScriptsUnderTest subject() {
        return subject;
    }

    @AfterEach
    void close() {
        subject.close();
    }

    /** The model behind the suite's interface. */
    private static final class ModelUnderTest implements ScriptsUnderTest {
        private final RedisModel model = new RedisModel(TAGS);

        @Override
        public StockScripts scripts() {
            return model;
        }

        @Override
        public List<?> raw(String script, List<String> keys, List<String> arguments) {
            return model.call(script, keys, arguments);
        }

        @Override
        public String processId() {
            return model.processId();
        }

        @Override
        public Map<String, String> hash(String key) {
            return model.hash(key);
        }

        @Override
        public Map<String, Long> scores(String key) {
            return model.scores(key);
        }

        @Override
        public long lives(String key) {
            return model.lives(key);
        }

        @Override
        public void put(String key, String field, String value) {
            model.put(key, field, value);
        }

        @Override
        public void removeField(String key, String field) {
            model.removeField(key, field);
        }

        @Override
        public void remove(String key) {
            model.remove(key);
        }

        @Override
        public void close() {
            model.close();
        }
    }
}
