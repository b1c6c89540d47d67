package io.holdfast.http.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.http.route.LineCutter.Line;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class LineCutterTest {

    private static final int LONGEST = 5;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        a/b/            | 1:a 2:b
        a/b             | 1:a 2:b
        ''              | ''
        //a//           | 3:a
        a;/b;/          | 1:a 2:b
        12345/123456/b  | 1:12345 2:long 3:b
        12345;/b        | 1:12345 2:b
        123456;/b       | 1:long 2:b
        123456789       | 1:long
        ;/a             | 2:a
        """)
    void lines_are_numbered_and_what_is_too_long_is_named(String body, String lines) {
        assertThat(cut(bytes(body), new Random(1))).isEqualTo(lines);
    }

    @Test
    void wherever_a_body_is_broken_into_chunks_its_lines_are_the_same() {
        var random = new Random(20261130);
        for (int i = 0; i < 500; i++) {
            StringBuilder body = new StringBuilder();
            for (int j = random.nextInt(40); j > 0; j--) {
                body.append("ab;/".charAt(random.nextInt(4)));
            }
            byte[] bytes = bytes(body.toString());
            String whole = cut(bytes, null);
            assertThat(cut(bytes, random)).as("%s", body).isEqualTo(whole);
        }
    }

    /** A slash stands for the end of a line, a semicolon for a carriage return. */
    private static byte[] bytes(String body) {
        return body.replace('/', '\n').replace(';', '\r').getBytes(StandardCharsets.UTF_8);
    }

    private static String cut(byte[] body, Random chunks) {
        var cutter = new LineCutter(LONGEST);
        List<Line> lines = new ArrayList<>();
        int at = 0;
        while (at < body.length) {
            int to = chunks == null ? body.length : Math.min(body.length, at + 1 + chunks.nextInt(7));
            lines.addAll(cutter.take(Arrays.copyOfRange(body, at, to)));
            at = to;
        }
        lines.addAll(cutter.end());
        return String.join(
                " ",
                lines.stream()
                        .map(line -> switch (line) {
                            case Line.Whole(long number, byte[] bytes) ->
                                number + ":" + new String(bytes, StandardCharsets.UTF_8).replace('\r', ';');
                            case Line.TooLong(long number) -> number + ":long";
                        })
                        .toList());
    }
}
