package io.holdfast.http.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.http.wire.JsonDifference.Change;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class JsonDifferenceTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"a":1}               | {"a":1}            |
        {"a":1}               | {"a":2}            | /a 1 2
        {"a":1}               | {}                 | /a 1 -
        {}                    | {"a":null}         | /a - null
        {"a":[1,2]}           | {"a":[1,3,4]}      | /a/1 2 3;/a/2 - 4
        {"a":{"b":1}}         | {"a":[1]}          | /a {"b":1} [1]
        {"a/b":{"c~d":1}}     | {"a/b":{"c~d":2}}  | /a~1b/c~0d 1 2
        {"b":1,"a":1}         | {"a":2,"b":2}      | /a 1 2;/b 1 2
        """)
    void what_differs_is_named_by_its_place(String from, String to, String changes) throws IOException {
        assertThat(JsonDifference.between(JSON.readTree(from), JSON.readTree(to)))
                .extracting(JsonDifferenceTest::shown)
                .isEqualTo(changes == null ? List.of() : List.of(changes.split(";")));
    }

    private static String shown(Change change) {
        return change.pointer() + " " + change.from().map(JsonNode::toString).orElse("-") + " "
                + change.to().map(JsonNode::toString).orElse("-");
    }

    @Test
    void whoever_has_the_first_and_the_changes_has_the_second() {
        var random = new Random(20261130);
        for (int i = 0; i < 2000; i++) {
            ObjectNode from = object(random, 3);
            ObjectNode to = random.nextBoolean() ? object(random, 3) : mutated(from.deepCopy(), random);
            ObjectNode made = from.deepCopy();
            // From the back, so that what is taken from an array moves nothing that is still to come.
            for (Change change : JsonDifference.between(from, to).reversed()) {
                apply(made, change);
            }
            // What is put behind the end of an array came from the back, too.
            assertThat(JsonDifference.between(made, to))
                    .as("%s to %s", from, to)
                    .isEmpty();
        }
    }

    private static void apply(ObjectNode document, Change change) {
        int last = change.pointer().lastIndexOf('/');
        JsonNode parent = document.at(change.pointer().substring(0, last));
        String name = change.pointer().substring(last + 1); // no name here has a character that is written otherwise
        switch (parent) {
            case ObjectNode object ->
                change.to().ifPresentOrElse(to -> object.set(name, to), () -> object.remove(name));
            case ArrayNode array -> {
                int index = Integer.parseInt(name);
                if (change.to().isEmpty()) {
                    array.remove(index);
                } else {
                    while (array.size() <= index) {
                        array.addNull();
                    }
                    array.set(index, change.to().get());
                }
            }
            default -> throw new AssertionError(change + " of " + document);
        }
    }

    private static ObjectNode mutated(ObjectNode node, Random random) {
        node.set("k" + random.nextInt(4), value(random, 2));
        return node;
    }

    private static ObjectNode object(Random random, int depth) {
        ObjectNode node = JSON.createObjectNode();
        for (int i = random.nextInt(4); i > 0; i--) {
            node.set("k" + random.nextInt(4), value(random, depth - 1));
        }
        return node;
    }

    private static JsonNode value(Random random, int depth) {
        return switch (depth == 0 ? random.nextInt(3) : random.nextInt(5)) {
            case 0 -> JSON.getNodeFactory().numberNode(random.nextInt(3));
            case 1 -> JSON.getNodeFactory().textNode("t" + random.nextInt(2));
            case 2 -> JSON.getNodeFactory().nullNode();
            case 3 -> object(random, depth);
            default -> {
                ArrayNode array = JSON.createArrayNode();
                for (int i = random.nextInt(3); i > 0; i--) {
                    array.add(value(random, depth - 1));
                }
                yield array;
            }
        };
    }
}
