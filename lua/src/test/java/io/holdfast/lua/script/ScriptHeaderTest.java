package io.holdfast.lua.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The header of a script file and its descriptor say the same; the file uses no result its header does not name. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ScriptHeaderTest {

    private static final Pattern NUMBERED = Pattern.compile("-- +(\\d+) (\\S+) +(.*)");
    private static final Pattern RESULT = Pattern.compile("--   ([A-Z_]+)(?: .*)?");
    private static final Pattern ANSWERED = Pattern.compile("(?:no|answer|kept|again)\\((?:\\w+\\.kept, )?'([A-Z_]+)'");

    static List<StockScript<?, ?>> scripts() {
        return Scripts.ALL;
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void the_header_names_keys_arguments_results_and_refusals_as_the_descriptor_does(StockScript<?, ?> script) {
        Map<String, List<String>> header = header(script.name());

        assertThat(header.get("title").get(0))
                .startsWith("-- " + script.name() + ": ")
                .endsWith(".");
        assertThat(numbered(header.get("KEYS")))
                .containsExactlyElementsOf(
                        Stream.concat(Stream.of("hf:{pool}:stock hash"), script.otherKeys().inHeader().stream())
                                .toList());
        assertThat(numbered(header.get("ARGV")))
                .containsExactlyElementsOf(script.arguments().stream()
                        .map(a -> a.name() + " " + a.kind().inHeader())
                        .toList());
        assertThat(results(header.get("RETURNS"))).containsExactlyElementsOf(script.results());
        assertThat(List.of(header.get("REFUSES")
                        .get(0)
                        .substring("-- REFUSES ".length())
                        .split(" ")))
                .containsExactlyElementsOf(script.refusals());
        assertThat(header.get("IDEMPOTENT").get(0)).startsWith("-- IDEMPOTENT yes: ");
        assertThat(header.get("COST").get(0)).hasSizeGreaterThan("-- COST ".length());
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void every_result_the_file_answers_is_in_its_header(StockScript<?, ?> script) {
        List<String> known = new ArrayList<>(script.results());
        known.addAll(script.refusals());

        Matcher answered = ANSWERED.matcher(ScriptText.file(script.name()));
        List<String> found = new ArrayList<>();
        while (answered.find()) {
            found.add(answered.group(1));
        }

        assertThat(found).isNotEmpty().allSatisfy(result -> assertThat(known).contains(result));
    }

    @Test
    void scripts_use_bounded_work_on_hashes_and_one_sorted_set_alone_and_swallow_no_error() {
        StringBuilder all = new StringBuilder(ScriptText.file("shared"));
        Scripts.ALL.forEach(script -> all.append(ScriptText.file(script.name())));

        Matcher called = Pattern.compile("redis\\.(\\w+)\\('(\\w+)'").matcher(all);
        List<String> commands = new ArrayList<>();
        while (called.find()) {
            commands.add(called.group(1) + " " + called.group(2));
        }

        assertThat(commands)
                .hasSize(all.toString().split("redis\\.", -1).length - 1)
                .allSatisfy(command -> assertThat(command)
                        .isIn(
                                "call HGET",
                                "call HMGET",
                                "call HGETALL",
                                "call EXISTS",
                                "call HSET",
                                "call HDEL",
                                "call UNLINK",
                                "call PEXPIRE",
                                "call ZADD",
                                "call ZREM",
                                "call ZCARD",
                                "call ZRANGEBYSCORE"));
        assertThat(all.toString()).doesNotContain("pcall", "math.random", "cjson");
    }

    private static Map<String, List<String>> header(String script) {
        Map<String, List<String>> sections = new LinkedHashMap<>();
        String section = "title";
        for (String line : ScriptText.file(script)
                .lines()
                .takeWhile(l -> l.startsWith("--"))
                .toList()) {
            for (String name : List.of("KEYS", "ARGV", "RETURNS", "REFUSES", "IDEMPOTENT", "COST")) {
                section = line.startsWith("-- " + name) ? name : section;
            }
            sections.computeIfAbsent(section, s -> new ArrayList<>()).add(line);
        }
        return sections;
    }

    /** {@code "-- 3 name kind   meaning"} as {@code "name kind"}; the kind is followed by two blanks or the end of the line. */
    private static List<String> numbered(List<String> lines) {
        List<String> entries = new ArrayList<>();
        for (String line : lines) {
            Matcher entry = NUMBERED.matcher(line);
            if (entry.matches()) {
                assertThat(Integer.parseInt(entry.group(1))).as(line).isEqualTo(entries.size() + 1);
                entries.add(entry.group(2) + " " + entry.group(3).split(" {2,}")[0]);
            }
        }
        return entries;
    }

    private static List<String> results(List<String> lines) {
        List<String> names = new ArrayList<>();
        for (String line : lines) {
            Matcher result = RESULT.matcher(line);
            if (result.matches()) {
                names.add(result.group(1));
            }
        }
        return names;
    }
}
