package io.holdfast.http.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.http.route.TestNode.Answer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class BulkRoutesTest {

    /** On a machine that does much else. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ALL = "/v1/pools";
    private static TestNode node;

    @BeforeAll
    static void start() {
        node = TestNode.start();
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    private static List<JsonNode> send(String query, String type, String body) {
        Answer answer = node.post(ALL + query, body.getBytes(StandardCharsets.UTF_8), "Content-Type", type);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.header("content-type").orElseThrow()).startsWith("application/jsonl");
        return lines(answer.body());
    }

    private static List<JsonNode> lines(String body) {
        return body.lines()
                .map(line -> {
                    try {
                        return JSON.readTree(line);
                    } catch (IOException e) {
                        throw new IllegalStateException(line, e);
                    }
                })
                .toList();
    }

    private static String shown(JsonNode line) {
        return line.has("summary")
                ? "sum " + line.at("/summary/lines") + " " + line.at("/summary/created") + " "
                        + line.at("/summary/unchanged") + " " + line.at("/summary/failed") + " "
                        + line.at("/summary/complete")
                : line.path("line") + " " + line.path("status") + " "
                        + line.path("result").asText()
                        + (line.has("problem") ? " " + line.at("/problem/code").asText() : "");
    }

    @Test
    void every_line_is_a_put_of_its_own_and_a_broken_one_stops_none_of_the_others() {
        String body = """
            {"pool":"m1:a","total":5}
            {"pool":"m1:b","total":7,"note":"?"}
            not json

            {"pool":"m1:nonsense:tomorrow","total":5}
            {"total":5}
            {"pool":"m1:c","total":-1}
            {"total":9,"pool":"m1:d"}
            {"pool":"m1:a","total":6}\
            """;
        assertThat(send("", "application/jsonl", body))
                .extracting(BulkRoutesTest::shown)
                .containsExactly(
                        "1 201 CREATED",
                        "2 400 INVALID INVALID_REQUEST",
                        "3 400 INVALID INVALID_REQUEST",
                        "5 400 INVALID INVALID_REQUEST",
                        "6 400 INVALID INVALID_REQUEST",
                        "7 400 INVALID INVALID_REQUEST",
                        "8 201 CREATED",
                        "9 409 REFUSED ALREADY_INITIALIZED",
                        "sum 8 2 0 6 true");
        assertThat(node.get("/v1/pools/m1:d").at("/baseline/total")).isEqualTo("9");
        assertThat(shown(send("", "application/x-ndjson", body).getLast())).isEqualTo("sum 8 0 2 6 true");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        'pool,total\n~:csv1,5\n'                   | 2 201 CREATED;sum 1 1 0 0 true
        'total,pool\r\n5,~:csv2\r\n'               | 2 201 CREATED;sum 1 1 0 0 true
        '"pool","total"\n"~:csv3","5"\n'           | 2 201 CREATED;sum 1 1 0 0 true
        'pool,total\n~:csv4, 5 \n'                 | 2 201 CREATED;sum 1 1 0 0 true
        'pool,total\n~:csv5,five\n~:csv6,6\n'      | 2 400 INVALID INVALID_REQUEST;3 201 CREATED;sum 2 1 0 1 true
        'pool,total\n~:csv7\n~:csv8,1,2\n'         | 2 400 INVALID INVALID_REQUEST;3 400 INVALID INVALID_REQUEST;sum 2 0 0 2 true
        'pool,total\n"~:csv9,5\n~:csv10,5\n'       | 2 400 INVALID INVALID_REQUEST;3 201 CREATED;sum 2 1 0 1 true
        'name,total\n~:csv11,5\n'                  | 1 400 INVALID INVALID_REQUEST;sum 1 0 0 1 false
        'pool,total,total\n~:csv12,5,5\n'          | 1 400 INVALID INVALID_REQUEST;sum 1 0 0 1 false
        'pool,total\n'                             | sum 0 0 0 0 true
        """)
    void csv_is_read_by_the_names_of_its_columns(String body, String lines) {
        String real = body.replace("\\n", "\n").replace("\\r", "\r").replace("~", "m1");
        assertThat(send("", "text/csv", real)).extracting(BulkRoutesTest::shown).containsExactly(lines.split(";"));
    }

    /** Values alone: what JSON refuses before it is a value, such as 05, is a text here. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        "many"               | many                 | 400 wrong_type
        ""                   | ""                   | 400 wrong_type
        "5 "                 | "5 x"                | 400 wrong_type
        1e3                  | 1e3                  | 400 wrong_type
        2.5                  | 2.5                  | 400 wrong_type
        -1                   | -1                   | 400 out_of_range
        9007199254740992     | 9007199254740992     | 400 out_of_range
        99999999999999999999 | 99999999999999999999 | 400 over_limit
        "05"                 | 05                   | 400 wrong_type
        5                    | 5                    | 201
        5.0                  | 5.0                  | 201
        """, quoteCharacter = '`')
    void a_total_is_judged_alike_in_both_forms(String json, String csv, String result) {
        String lines = "{\"pool\":\"m1:alike\",\"total\":" + json + "}";
        assertThat(judged(send("?dry_run=true", "application/jsonl", lines))).isEqualTo(result);
        assertThat(judged(send("?dry_run=true", "text/csv", "pool,total\nm1:alike," + csv + "\n")))
                .isEqualTo(result);
    }

    private static String judged(List<JsonNode> lines) {
        JsonNode fault = lines.getFirst().at("/problem/errors/0/code");
        return lines.getFirst().path("status") + (fault.isMissingNode() ? "" : " " + fault.asText());
    }

    @Test
    void a_byte_order_mark_is_not_part_of_the_first_name() {
        assertThat(send("", "text/csv; charset=utf-8", "\uFEFFpool,total\nm1:bom,5\n"))
                .extracting(BulkRoutesTest::shown)
                .containsExactly("2 201 CREATED", "sum 1 1 0 0 true");
    }

    @Test
    void a_dry_run_says_what_would_be_and_does_nothing() {
        send("", "text/csv", "pool,total\nm1:there,5\n");
        assertThat(send("?dry_run=true", "text/csv", "pool,total\nm1:there,5\nm1:there,6\nm1:new,5\nm1:bad,x\n"))
                .extracting(BulkRoutesTest::shown)
                .containsExactly(
                        "2 200 UNCHANGED",
                        "3 409 REFUSED ALREADY_INITIALIZED",
                        "4 201 WOULD_CREATE",
                        "5 400 INVALID INVALID_REQUEST",
                        "sum 4 1 1 2 true");
        assertThat(node.get("/v1/pools/m1:new").code()).isEqualTo("POOL_UNKNOWN");
    }

    @Test
    void a_dry_run_knows_what_earlier_lines_would_have_made_and_says_what_the_upload_then_says() {
        String body = """
            {"pool":"m1:dry1","total":1}
            {"pool":"m1:dry2","total":1}
            {"pool":"m1:dry1","total":2}
            {"pool":"m1:dry1","total":1}
            {"pool":"m1:dry2","total":"x"}
            {"pool":"m1:dry3","total":-1}
            {"pool":"m1:dry3","total":3}
            {"pool":"m1:dry2","total":7}
            """;
        List<String> would = send("?dry_run=true", "application/jsonl", body).stream()
                .map(BulkRoutesTest::shown)
                .toList();
        assertThat(would)
                .containsExactly(
                        "1 201 WOULD_CREATE",
                        "2 201 WOULD_CREATE",
                        "3 409 REFUSED ALREADY_INITIALIZED",
                        "4 200 UNCHANGED",
                        "5 400 INVALID INVALID_REQUEST",
                        "6 400 INVALID INVALID_REQUEST",
                        "7 201 WOULD_CREATE",
                        "8 409 REFUSED ALREADY_INITIALIZED",
                        "sum 8 3 1 4 true");
        assertThat(send("", "application/jsonl", body))
                .extracting(BulkRoutesTest::shown)
                .containsExactlyElementsOf(would.stream()
                        .map(line -> line.replace("WOULD_CREATE", "CREATED"))
                        .toList());
    }

    /** What is sent, in several framings; {@code ~} is a name of its own, a bar the end of a chunk where there are chunks. */
    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = ';', textBlock = """
        text/csv;          pool,total/m1:~a,7/m1:~b,1
        text/csv;          pool,total/m1:~a,7/|m1:~b,1
        text/csv;          pool,total/m1:~a,7/m1:~b
        text/csv;          pool,total/m1:~b,1
        text/csv;          pool,tot
        text/csv;          ``
        text/csv;          pool,total/m1:~a,7/
        application/jsonl; {"pool":"m1:~a","total":7}/{"pool":"m1:~b","total":1}
        application/jsonl; {"pool":"m1:~a","total":7}/{"pool":"m1:~b","to
        application/jsonl; {"pool":"m1:~a","total":7}/|{"pool":"m1:~b","total":1}
        application/jsonl; {"pool":"m1:~b","total":1}
        application/jsonl; {"pool":"m1:~a","total":7}/
        """)
    void the_line_at_which_a_body_breaks_off_is_not_carried_out(String type, String text) {
        int number = 0;
        for (Cut cut : Cut.values()) {
            for (boolean begun : new boolean[] {true, false}) {
                String name = cut.name().toLowerCase(Locale.ROOT) + Math.abs((type + text).hashCode()) + number++;
                String body = text.replace('/', '\n').replace("~", name);
                String answer = RawHttp.sendAndEnd(
                        node.port(),
                        "POST /v1/pools HTTP/1.1\r\nHost: x\r\nContent-Type: " + type + "\r\n" + cut.framed(body),
                        begun);
                assertThat(answer)
                        .as("%s %s %s", cut, begun, body)
                        .startsWith("HTTP/1.1 200 ")
                        .contains("\"complete\":false")
                        .contains("the body broke off before its end")
                        .doesNotContain("not_json");
                assertThat(node.get("/v1/pools/m1:" + name + "b").code()).isEqualTo("POOL_UNKNOWN");
                if (text.contains("~a") && cut != Cut.INSIDE_A_CHUNK) {
                    assertThat(answer).contains("CREATED").contains("\"lines\":1,");
                    assertThat(node.get("/v1/pools/m1:" + name + "a").at("/baseline/total"))
                            .isEqualTo("7");
                }
            }
        }
    }

    /** How a body may break off. */
    private enum Cut {
        BEFORE_ITS_LENGTH {
            @Override
            String framed(String body) {
                return "Content-Length: 500\r\n\r\n" + body.replace("|", "");
            }
        },
        BEFORE_THE_LAST_CHUNK {
            @Override
            String framed(String body) {
                return CHUNKED + chunks(body);
            }
        },
        IN_THE_SIZE_OF_A_CHUNK {
            @Override
            String framed(String body) {
                return CHUNKED + chunks(body) + "3";
            }
        },
        AT_A_SIZE_THAT_IS_NONE {
            @Override
            String framed(String body) {
                return CHUNKED + chunks(body) + "zz\r\n";
            }
        },
        INSIDE_A_CHUNK {
            @Override
            String framed(String body) {
                return CHUNKED + "1f4\r\n" + body.replace("|", "");
            }
        };

        private static final String CHUNKED = "Transfer-Encoding: chunked\r\n\r\n";

        abstract String framed(String body);

        private static String chunks(String body) {
            return Stream.of(body.split("\\|"))
                    .filter(chunk -> !chunk.isEmpty())
                    .map(chunk -> Integer.toHexString(chunk.length()) + "\r\n" + chunk + "\r\n")
                    .collect(Collectors.joining());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 23\r\n\r\n~", "Transfer-Encoding: chunked\r\n\r\n17\r\n~\r\n0\r\n\r\n"})
    void a_last_line_without_an_end_counts_where_the_body_is_whole(String framed) {
        String name = "whole" + framed.length() % 10 + "x";
        String body = "pool,total\nm1:" + name + ",8";
        String answer = RawHttp.sendAndEnd(
                node.port(),
                "POST /v1/pools HTTP/1.1\r\nHost: x\r\nContent-Type: text/csv\r\n" + framed.replace("~", body),
                false);
        assertThat(answer).contains("CREATED").contains("\"complete\":true");
        assertThat(node.get("/v1/pools/m1:" + name).at("/baseline/total")).isEqualTo("8");
    }

    @Test
    void what_is_more_than_may_be_is_not_looked_at_and_the_answer_says_so() {
        StringBuilder many = new StringBuilder("pool,total\n");
        for (int i = 0; i < 60; i++) {
            many.append("m1:many").append(i).append(",1\n");
        }
        List<JsonNode> answer = send("?dry_run=true", "text/csv", many.toString());
        assertThat(answer).hasSize(50);
        assertThat(shown(answer.getLast())).isEqualTo("sum 49 49 0 0 false");
        assertThat(answer.getLast().at("/summary/reason").asText()).contains("50 lines");

        assertThat(send(
                        "",
                        "application/jsonl",
                        "{\"pool\":\"m1:" + "x".repeat(400) + "\"}\n{\"pool\":\"m1:short\",\"total\":1}"))
                .extracting(BulkRoutesTest::shown)
                .containsExactly("1 400 INVALID INVALID_REQUEST", "2 201 CREATED", "sum 2 1 0 1 true");

        List<JsonNode> large = send("", "text/csv", "pool,total\nm1:large,1\n" + "y".repeat(200_000));
        assertThat(shown(large.getLast())).endsWith("false");
    }

    @Test
    void only_lines_are_taken_and_only_known_parameters() {
        byte[] body = "{\"pool\":\"m1:x\",\"total\":1}".getBytes(StandardCharsets.UTF_8);
        assertThat(node.post(ALL, body, "Content-Type", "application/json").code())
                .isEqualTo("UNSUPPORTED_MEDIA_TYPE");
        assertThat(node.post(ALL, body, "Content-Type", "text/csv", "Content-Encoding", "gzip")
                        .code())
                .isEqualTo("UNSUPPORTED_MEDIA_TYPE");
        assertThat(node.post(ALL + "?dry_run=maybe", body, "Content-Type", "text/csv")
                        .faults())
                .containsExactly("query /dry_run bad_syntax");
        assertThat(node.post(ALL + "?dryrun=true", body, "Content-Type", "text/csv")
                        .faults())
                .containsExactly("query /dryrun unknown");
    }

    /** An upload whose body is sent piece by piece. */
    private static final class Slowly implements AutoCloseable {
        private final Socket socket;
        private final BufferedReader answer;

        Slowly() throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), node.port());
            socket.setSoTimeout(20_000);
            answer = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            write("POST /v1/pools?dry_run=true HTTP/1.1\r\nHost: h\r\nContent-Type: application/jsonl\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n");
        }

        void send(String piece) throws IOException {
            write(Integer.toHexString(piece.length()) + "\r\n" + piece + "\r\n");
        }

        private void write(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();
        }

        String next(String containing) throws IOException {
            String line = answer.readLine();
            while (line != null && !line.contains(containing)) {
                line = answer.readLine();
            }
            return String.valueOf(line);
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @Test
    void lines_are_answered_while_more_of_them_come_and_uploads_at_once_are_bounded() throws IOException {
        List<Slowly> open = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Slowly upload = new Slowly();
            open.add(upload);
            upload.send("{\"pool\":\"m1:slow\",\"total\":1}\n{\"pool\":\"m1:sl");
            assertThat(upload.next("\"line\"")).contains("\"line\":1").contains("WOULD_CREATE");
        }
        assertThat(node.post(ALL, "pool,total\n".getBytes(StandardCharsets.UTF_8), "Content-Type", "text/csv")
                        .code())
                .isEqualTo("TOO_BUSY");
        open.getFirst().send("ow2\",\"total\":2}\n");
        assertThat(open.getFirst().next("\"line\"")).contains("\"line\":2");
        open.getFirst().write("0\r\n\r\n");
        assertThat(open.getFirst().next("summary")).contains("\"complete\":true");
        // The other goes away in the middle of a line.
        open.getLast().close();
        await().atMost(PATIENCE)
                .until(() -> node.post(ALL, "pool,total\n".getBytes(StandardCharsets.UTF_8), "Content-Type", "text/csv")
                                .status()
                        == 200);
        open.getFirst().close();
    }
}
