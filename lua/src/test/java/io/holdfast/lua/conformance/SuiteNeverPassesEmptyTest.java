package io.holdfast.lua.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
                test.invoke(new SuiteOnNothing());
                passed.add(test.getName());
            } catch (InvocationTargetException failed) {
                assertThat(failed.getCause()).as(test.getName()).isNotNull();
            }
        }
        assertThat(tests).hasSizeGreaterThan(20);
        assertThat(passed).isEmpty();
    }
}
