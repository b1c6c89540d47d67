package io.holdfast.http.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** The page on who may do what. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class AccessPageTest {

    private static Path page() {
        Path fromModule = Path.of("../docs/access.md");
        return Files.exists(fromModule) ? fromModule : Path.of("docs/access.md");
    }

    @Test
    void has_the_roles_and_routes_of_the_code() throws IOException {
        derived(
                "roles",
                Stream.of(Role.values())
                        .map(role -> "| `" + role.word() + "` | " + role.meaning() + " |\n")
                        .collect(Collectors.joining("", "| role | |\n|---|---|\n", "")));
        derived(
                "routes",
                Stream.of(ApiRoute.values())
                        .map(AccessPageTest::row)
                        .collect(Collectors.joining("", "| route | roles | whose |\n|---|---|---|\n", "")));
    }

    private static String row(ApiRoute route) {
        String roles = switch (route.proof()) {
            case NONE -> "everybody";
            case SIGNATURE -> "whoever signs";
            case TOKEN ->
                route.permission().orElseThrow().roles().stream()
                        .map(Role::word)
                        .collect(Collectors.joining(", "));
        };
        String whose = route.whose() == Whose.NOBODY ? "" : route.whose().name().toLowerCase(Locale.ROOT);
        return "| `" + route.method() + " " + route.template() + "` | " + roles + " | " + whose + " |\n";
    }

    private static void derived(String name, String text) throws IOException {
        String start = "<!-- " + name + " -->\n";
        String end = "<!-- /" + name + " -->\n";
        if (Boolean.getBoolean("derived.update")) {
            String page = Files.readString(page());
            Files.writeString(
                    page(),
                    page.substring(0, page.indexOf(start) + start.length()) + text + page.substring(page.indexOf(end)));
        }
        assertThat(Files.readString(page()))
                .as("run this test with -Dderived.update=true and review the difference")
                .contains(start + text + end);
    }
}
