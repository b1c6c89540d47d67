package io.holdfast.testkit.suite;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherConstants;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Checks a conformance suite itself. Run over a fixture that does nothing, every one of its tests must fail: a test that passes there
 * would pass for any broken adapter, and one that is skipped proves nothing.
 *
 * <p>The class given is a concrete subclass of the suite over a do-nothing fixture. Nest it, not named {@code ...Test}, in the test
 * that calls this, so that the build does not also run it on its own.
 */
public final class SuiteFailsOnNothing {

    private SuiteFailsOnNothing() {}

    /** Fails unless the class has tests and every one of them fails. */
    public static void check(Class<?> overDoNothingFixture) {
        Tally tally = run(overDoNothingFixture);
        List<String> wrong = new ArrayList<>();
        tally.passed.forEach(test -> wrong.add("passed over a fixture that does nothing: " + test));
        tally.skipped.forEach(test -> wrong.add("was skipped, which proves nothing: " + test));
        if (tally.failed.isEmpty()) {
            wrong.add("the suite ran no test that failed; is " + overDoNothingFixture.getName() + " a suite at all?");
        }
        if (!wrong.isEmpty()) {
            throw new AssertionError(String.join(System.lineSeparator(), wrong));
        }
    }

    private static Tally run(Class<?> suite) {
        // Nested classes of a suite hold tests too; selecting the class runs them as well.
        var request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(suite))
                .configurationParameter(LauncherConstants.STACKTRACE_PRUNING_ENABLED_PROPERTY_NAME, "false")
                .build();
        Tally tally = new Tally();
        LauncherFactory.create().execute(request, tally);
        return tally;
    }

    private static final class Tally implements TestExecutionListener {
        private final List<String> passed = new ArrayList<>();
        private final List<String> failed = new ArrayList<>();
        private final List<String> skipped = new ArrayList<>();

        @Override
        public void executionSkipped(TestIdentifier test, String reason) {
            skipped.add(test.getDisplayName() + " (" + reason + ")");
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (!test.isTest()) {
                // A container that fails (@BeforeAll, a missing fixture) keeps its tests from running: that is a
                // failure too.
                if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
                    failed.add(test.getDisplayName());
                }
                return;
            }
            switch (result.getStatus()) {
                case SUCCESSFUL -> passed.add(test.getDisplayName());
                case FAILED -> failed.add(test.getDisplayName());
                case ABORTED -> skipped.add(test.getDisplayName() + " (an assumption did not hold)");
            }
        }
    }
}
