package io.holdfast.engine.journal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.holdfast.localstack.SharedStack;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.persistence.CapabilityFlag;
import org.apache.pekko.persistence.japi.journal.JavaJournalSpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.scalatest.Args;
import org.scalatest.events.Event;
import org.scalatest.events.SuiteAborted;
import org.scalatest.events.TestCanceled;
import org.scalatest.events.TestFailed;
import org.scalatest.events.TestIgnored;
import org.scalatest.events.TestPending;
import org.scalatest.events.TestSucceeded;
import scala.Option;

/** What Pekko expects of every journal, by Pekko's own test kit. It is written for ScalaTest; here it runs, and every case becomes a test. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class JournalKitTest {

    private static JournalSite site;

    @BeforeAll
    static void open() {
        site = new JournalSite(SharedStack.postgres());
    }

    @AfterAll
    static void close() {
        site.close();
    }

    @TestFactory
    List<DynamicTest> everything_pekko_expects_of_a_journal() {
        Config config = site.config("pekko { loglevel = ERROR, actor.provider = local }")
                .withFallback(ConfigFactory.defaultReference())
                .resolve();
        List<DynamicTest> cases = new ArrayList<>();
        var kit = new Kit(config);

        kit.run(
                Option.empty(),
                Args.apply(
                        event -> of(event).ifPresent(cases::add),
                        Args.apply$default$2(),
                        Args.apply$default$3(),
                        Args.apply$default$4(),
                        Args.apply$default$5(),
                        Args.apply$default$6(),
                        Args.apply$default$7(),
                        Args.apply$default$8(),
                        Args.apply$default$9(),
                        Args.apply$default$10()));

        assertThat(cases).hasSizeGreaterThanOrEqualTo(17);
        return cases;
    }

    private static Optional<DynamicTest> of(Event event) {
        return Optional.ofNullable(
                switch (event) {
                    case TestSucceeded done -> DynamicTest.dynamicTest(done.testName(), () -> {});
                    case TestFailed failed -> broken(failed.testName(), failed.message(), failed.throwable());
                    case TestCanceled canceled -> broken(canceled.testName(), canceled.message(), canceled.throwable());
                    case TestIgnored ignored -> broken(ignored.testName(), "ignored", Option.empty());
                    case TestPending pending -> broken(pending.testName(), "pending", Option.empty());
                    case SuiteAborted aborted -> broken("the kit", aborted.message(), aborted.throwable());
                    default -> null;
                });
    }

    private static DynamicTest broken(String name, String why, Option<Throwable> cause) {
        return DynamicTest.dynamicTest(name, () -> {
            throw new AssertionError(why, cause.isDefined() ? cause.get() : null);
        });
    }

    /** Run by the factory above and by nobody else. */
    private static final class Kit extends JavaJournalSpec {

        Kit(Config config) {
            super(config);
        }

        @Override
        public CapabilityFlag supportsRejectingNonSerializableObjects() {
            return CapabilityFlag.on();
        }

        @Override
        public CapabilityFlag supportsSerialization() {
            return CapabilityFlag.on();
        }

        @Override
        public CapabilityFlag supportsMetadata() {
            return CapabilityFlag.on();
        }
    }
}
