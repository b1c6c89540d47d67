package io.holdfast.rules;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.holdfast.node.Node;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** The arrows between rooms. Maven keeps the modules apart; these keep the packages apart. */
@AnalyzeClasses(
        packages = "io.holdfast",
        importOptions = {ImportOption.DoNotIncludeTests.class, ArchitectureTest.NoJarsOfTests.class})
class ArchitectureTest {

    /** Tests that other modules use come in jars once their module is packaged. */
    static final class NoJarsOfTests implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("-tests.jar");
        }
    }

    private static final String[] PURE_ENGINE = {
        "io.holdfast.engine.machine..", "io.holdfast.engine.effect..", "io.holdfast.engine.entity.."
    };
    private static final String[] PURE = {
        "io.holdfast.engine.machine..",
        "io.holdfast.engine.effect..",
        "io.holdfast.engine.entity..",
        "io.holdfast.*.domain.."
    };

    @ArchTest
    static final ArchRule the_pure_engine_imports_only_the_jdk = classes()
            .that()
            .resideInAnyPackage(PURE_ENGINE)
            .should()
            .onlyDependOnClassesThat(
                    resideInAnyPackage("java..", "org.jspecify..").or(resideInAnyPackage(PURE_ENGINE)))
            .because("a machine and the rules around it are values, so the auditor and the simulation run the very same"
                    + " code");

    @ArchTest
    static final ArchRule a_domain_imports_only_the_jdk_and_the_pure_engine = classes()
            .that()
            .resideInAPackage("io.holdfast.*.domain..")
            .should()
            .onlyDependOnClassesThat(
                    resideInAnyPackage("java..", "javax.crypto..", "org.jspecify..", "io.holdfast.*.domain..")
                            .or(resideInAnyPackage(PURE_ENGINE)))
            .because("what is allowed must not depend on how it is stored or sent");

    @ArchTest
    static final ArchRule no_clock_and_no_chance_in_pure_code = noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should()
            .dependOnClassesThat()
            .belongToAnyOf(Clock.class, Random.class, ThreadLocalRandom.class, Thread.class)
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(UUID.class, "randomUUID")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .because("a replay must come to the same decision");

    @ArchTest
    static final ArchRule no_node_goes_by_its_own_wall_clock = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "io.holdfast.launcher..", "io.holdfast.bench..", "io.holdfast.chaos..", "io.holdfast.localstack..")
            .and()
            .doNotBelongToAnyOf(Node.class)
            .should()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(InstantSource.class, "system")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Clock.class, "systemUTC")
            .orShould()
            .callMethod(Clock.class, "systemDefaultZone")
            .because("the fleet has one time, the database's");

    @ArchTest
    static final ArchRule pekko_stays_in_the_shell = noClasses()
            .that(not(resideInAnyPackage(
                    "io.holdfast.engine.runtime..",
                    "io.holdfast.engine.journal..",
                    "io.holdfast.messaging.kafka..",
                    "io.holdfast.http..",
                    "io.holdfast.node..",
                    "io.holdfast.launcher..")))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.pekko..")
            .because("the actor is a shell around pure functions and ports");

    @ArchTest
    static final ArchRule the_engine_knows_no_domain = noClasses()
            .that()
            .resideInAPackage("io.holdfast.engine..")
            .should()
            .dependOnClassesThat(
                    resideInAnyPackage("io.holdfast..").and(not(resideInAnyPackage("io.holdfast.engine.."))))
            .because("five machines share it");

    @ArchTest
    static final ArchRule the_scripts_know_no_domain = noClasses()
            .that()
            .resideInAPackage("io.holdfast.lua..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("io.holdfast..")
                    .and(not(resideInAnyPackage("io.holdfast.lua..", "io.holdfast.engine.effect.."))))
            .because("moving stock is told what to move, never why");

    @ArchTest
    static final ArchRule entities_do_not_know_who_calls_them = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.holdfast.reservation..",
                    "io.holdfast.compensation..",
                    "io.holdfast.reconciliation..",
                    "io.holdfast.order..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.holdfast.messaging..",
                    "io.holdfast.http..",
                    "io.holdfast.node..",
                    "io.holdfast.launcher..",
                    "io.holdfast.localstack..")
            .because("HTTP and Kafka are two ways to the same facts");

    @ArchTest
    static final ArchRule no_node_runs_on_a_model_of_a_store = noClasses()
            .that()
            .resideOutsideOfPackages("io.holdfast.simulation..", "io.holdfast.*.model..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.holdfast.*.model..")
            .because("models pass the suites of what is real, and are for tests and for simulation");

    @ArchTest
    static final ArchRule an_order_knows_its_books_only_by_their_port = noClasses()
            .that()
            .resideInAnyPackage("io.holdfast.order.domain..", "io.holdfast.order.port..", "io.holdfast.order.entity..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.holdfast.order.sql..", "java.sql..", "javax.sql..")
            .because("whoever keeps the books can be another");

    @ArchTest
    static final ArchRule what_a_difference_means_is_decided_without_sql = noClasses()
            .that()
            .resideInAPackage("io.holdfast.reconciliation")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.holdfast.reconciliation.sql..", "javax.sql..", "io.lettuce..")
            .because("rules and order of a comparison are tested without stores");

    @ArchTest
    static final ArchRule messaging_knows_machines_and_nothing_above = noClasses()
            .that()
            .resideInAPackage("io.holdfast.messaging..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("io.holdfast..")
                    .and(not(resideInAnyPackage(
                            "io.holdfast.messaging..",
                            "io.holdfast.json..",
                            "io.holdfast.engine..",
                            "io.holdfast.reservation..",
                            "io.holdfast.compensation.domain..",
                            "io.holdfast.order.."))))
            .because("the node wires it, as it wires HTTP");

    @ArchTest
    static final ArchRule what_an_event_means_is_pure = noClasses()
            .that()
            .resideInAPackage("io.holdfast.messaging.event..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.kafka..", "java.sql..", "io.holdfast.engine.runtime..")
            .because("a bad event must be found by reading it, wherever it comes from");

    @ArchTest
    static final ArchRule kafkas_client_stays_in_one_package = noClasses()
            .that()
            .resideInAPackage("io.holdfast.messaging..")
            .and()
            .resideOutsideOfPackage("io.holdfast.messaging.kafka..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.kafka..")
            .because("the rules of delivery are tested without a broker");

    @ArchTest
    static final ArchRule a_production_node_has_no_embedded_stores = noClasses()
            .that()
            .resideInAnyPackage("io.holdfast.messaging..", "io.holdfast.http..", "io.holdfast.node..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.holdfast.localstack..")
            .because("only the launcher's dev mode and tests start stores");

    @ArchTest
    static final ArchRule no_static_state_changes = fields().that()
            .areStatic()
            .and()
            .areDeclaredInClassesThat()
            .resideOutsideOfPackage("io.holdfast.localstack")
            .should()
            .beFinal()
            .because("two nodes must be able to live in one JVM; only the servers of a test JVM are shared by it");
}
