package io.holdfast.lua.redis;

import io.holdfast.localstack.SharedStack;
import io.holdfast.lua.conformance.ScriptsUnderTest;
import io.holdfast.lua.conformance.StockScriptsConformance;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class RedisConformanceTest extends StockScriptsConformance {

    private static RedisUnderTest subject;

    @BeforeAll
    static void connect() {
        subject = new RedisUnderTest(SharedStack.redis().uri());
    }

    @AfterAll
    static void close() {
        subject.close();
    }

    @Override
    protected ScriptsUnderTest subject() {
        return subject;
    }
}
