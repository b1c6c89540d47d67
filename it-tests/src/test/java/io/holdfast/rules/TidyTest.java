package io.holdfast.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** The repository checks itself: what a reviewer would otherwise have to look for every time. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class TidyTest {

    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)#\\s]+)(#[^)]*)?\\)");
    private static final Pattern UNFINISHED = Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b");
    private static final Pattern TEST_SLEEP =
            Pattern.compile("Thread\\s*\\.\\s*sleep\\s*\\(|TimeUnit\\.[A-Z]+\\.sleep\\(");

    @Test
    void nothing_is_marked_as_unfinished() {
        List<String> found = new ArrayList<>();
        for (String ending : List.of(".java", ".lua", ".sql", ".conf", ".md", ".xml", ".sh")) {
            for (Path file : Repository.files(ending)) {
                if (UNFINISHED.matcher(Repository.read(file)).find()) {
                    found.add(name(file));
                }
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void tests_wait_for_facts_and_never_sleep() {
        assertThat(Repository.files(".java").stream()
                        .filter(file -> name(file).contains("/src/test/"))
                        .filter(file ->
                                TEST_SLEEP.matcher(Repository.read(file)).find())
                        .map(TidyTest::name))
                .isEmpty();
    }

    @Test
    void every_package_says_what_belongs_in_it() {
        TreeSet<String> without = new TreeSet<>();
        for (Path file : Repository.files(".java")) {
            if (name(file).contains("/src/main/") && !Files.exists(file.resolveSibling("package-info.java"))) {
                without.add(name(file.getParent()));
            }
        }
        assertThat(without).isEmpty();
    }

    @Test
    void links_in_the_documentation_lead_somewhere() {
        List<String> broken = new ArrayList<>();
        for (Path page : Repository.files(".md")) {
            Matcher link = LINK.matcher(Repository.read(page));
            while (link.find()) {
                String target = link.group(1);
                if (!target.contains("://")
                        && !target.startsWith("mailto:")
                        && !Files.exists(page.resolveSibling(target))) {
                    broken.add(name(page) + " -> " + target);
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    /** Modules that run tests of others. */
    private static final List<String> RUNNERS = List.of("slow-tests", "slow-node-tests");

    /** Else they would be run twice, or by nobody. */
    @Test
    void tests_that_a_module_leaves_to_others_are_there_and_run_there_once() {
        List<String> left = new ArrayList<>();
        for (Path pom : Repository.files("pom.xml")) {
            Path module = Repository.root().relativize(pom).getName(0);
            for (String test : named("exclude", pom)) {
                left.add(module + "/" + test);
                assertThat(Repository.files(test).stream()
                                .filter(file -> file.getFileName().toString().equals(test))
                                .map(file -> Repository.root().relativize(file).getName(0)))
                        .as(test)
                        .containsExactly(module);
            }
        }
        List<String> run = new ArrayList<>();
        for (String runner : RUNNERS) {
            Pattern.compile("/\\.\\./([a-z-]+)/target/test-classes.*?</includes>", Pattern.DOTALL)
                    .matcher(Repository.read(Repository.root().resolve(runner + "/pom.xml")))
                    .results()
                    .forEach(execution -> named("include", execution.group())
                            .forEach(test -> run.add(execution.group(1) + "/" + test)));
        }
        assertThat(left).isNotEmpty().doesNotHaveDuplicates();
        assertThat(run).containsExactlyInAnyOrderElementsOf(left);
    }

    private static List<String> named(String element, Path pom) {
        return named(element, Repository.read(pom));
    }

    private static List<String> named(String element, String text) {
        return Pattern.compile("<%1$s>\\*\\*/([^<*]+)</%1$s>".formatted(element))
                .matcher(text)
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    @Test
    void decision_records_have_one_number_each() throws Exception {
        Map<String, String> byNumber = new HashMap<>();
        List<String> twice = new ArrayList<>();
        try (Stream<Path> records = Files.list(Repository.root().resolve("docs/adr"))) {
            for (Path record : records.sorted().toList()) {
                String file = record.getFileName().toString();
                assertThat(file).matches("\\d{4}-[a-z0-9-]+\\.md");
                String before = byNumber.put(file.substring(0, 4), file);
                if (before != null) {
                    twice.add(before + ", " + file);
                }
            }
        }
        assertThat(twice).isEmpty();
        assertThat(byNumber).isNotEmpty();
    }

    private static String name(Path file) {
        return Repository.root().relativize(file).toString();
    }
}
