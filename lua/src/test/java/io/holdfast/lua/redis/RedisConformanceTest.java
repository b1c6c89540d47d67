package io.holdfast.lua.redis;

import io.holdfast.localstack.RedisServer;
import io.holdfast.lua.conformance.ScriptsUnderTest;
import io.holdfast.lua.conformance.StockScriptsConformance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class RedisConformanceTest extends StockScriptsConformance {

    private static RedisServer server;
    private static RedisUnderTest subject;

    RedisConformanceTest(RedisVersion version) {}

    @BeforeParameterizedClassInvocation
    static void start(RedisVersion version) {
        server = version.start("conformance");
        subject = RedisUnderTest.patient(server.uri());
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        subject.close();
        server.close();
    }

    @Override
    protected ScriptsUnderTest subject() {
        return subject;
    }
}
