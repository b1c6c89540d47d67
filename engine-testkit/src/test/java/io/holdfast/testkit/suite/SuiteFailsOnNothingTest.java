package io.holdfast.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class SuiteFailsOnNothingTest {

    @Test
    void a_suite_whose_every_test_fails_is_sound() {
        SuiteFailsOnNothing.check(Sound.class);
    }

    @Test
    void a_test_that_passes_over_nothing_is_named() {
        assertThatThrownBy(() -> SuiteFailsOnNothing.check(WithAHollowTest.class))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("passed over a fixture that does nothing: hollow()");
    }

    @Test
    void a_test_that_passes_in_a_nested_class_is_named_too() {
        assertThatThrownBy(() -> SuiteFailsOnNothing.check(WithAHollowNestedTest.class))
                .hasMessageContaining("passed over a fixture that does nothing: hollow()");
    }

    @Test
    void a_test_that_is_skipped_is_named() {
        assertThatThrownBy(() -> SuiteFailsOnNothing.check(WithASkippedTest.class))
                .hasMessageContaining("was skipped, which proves nothing: skipped()");
    }

    @Test
    void a_class_without_tests_is_no_suite() {
        assertThatThrownBy(() -> SuiteFailsOnNothing.check(Empty.class))
                .hasMessageContaining("ran no test that failed");
    }

    static class Sound {
        @Test
        void fails() {
            assertThat(1).isEqualTo(2);
        }
    }

    static class WithAHollowTest extends Sound {
        @Test
        void hollow() {}
    }

    static class WithAHollowNestedTest extends Sound {
        @Nested
        class Inner {
            @Test
            void hollow() {}
        }
    }

    static class WithASkippedTest extends Sound {
        @Test
        void skipped() {
            assumeTrue(1 > 2);
        }
    }

    static class Empty {}
}
