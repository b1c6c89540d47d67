package io.holdfast.lua.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.localstack.SharedStack;
import io.holdfast.localstack.fault.FaultProxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ScriptListenerTest {

    @Test
    void the_listener_is_told_every_result_and_every_connection() {
        List<String> told = new CopyOnWriteArrayList<>();
        ScriptListener listener = new ScriptListener() {
            @Override
            public void answered(String script, String result, Duration took) {
                assertThat(took).isPositive();
                told.add(script + " " + result);
            }

            @Override
            public void connected(String server, String process) {
                told.add("connected");
            }

            @Override
            public void disconnected(String server, String why) {
                told.add("disconnected");
                throw new IllegalStateException("a listener with a fault harms nobody");
            }
        };
        try (FaultProxy proxy = FaultProxy.to(
                        SharedStack.redis().host(), SharedStack.redis().port());
                RedisStockScripts scripts = new RedisStockScripts(
                        RedisUnderTest.settings("redis://" + proxy.host() + ":" + proxy.port()), listener)) {
            Calls calls = new Calls(scripts, "p:listened");
            calls.init(1);
            calls.hold("r1", 1);
            calls.hold("r2", 1);
            proxy.loseReplyTo("r3");
            calls.hold("r3", 1);
            proxy.refuse();
            Calls.untilAnswered(() -> calls.hold("r4", 1), "UNAVAILABLE");
        }
        assertThat(told).startsWith("connected", "pool_init CREATED", "try HELD", "try SHORT");
        assertThat(told).contains("disconnected", "try UNKNOWN", "try UNAVAILABLE");
    }
}
