package io.holdfast.http.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Where two JSON documents differ. Objects are compared by name, arrays by place, everything else as it is. */
public final class JsonDifference {

    /**
     * One place at which they differ.
     *
     * @param pointer JSON Pointer (RFC 6901) into either document
     * @param from what is there in the first; absent where nothing is
     * @param to what is there in the second; absent where nothing is
     */
    public record Change(String pointer, Optional<JsonNode> from, Optional<JsonNode> to) {}

    private JsonDifference() {}

    /** Every difference, in the order of pointers' names and numbers; none if they are equal. */
    public static List<Change> between(JsonNode from, JsonNode to) {
        List<Change> changes = new ArrayList<>();
        compare("", from, to, changes);
        return changes;
    }

    private static void compare(String at, JsonNode from, JsonNode to, List<Change> changes) {
        if (from.equals(to)) {
            return;
        }
        if (from.isObject() && to.isObject()) {
            Set<String> names = new TreeSet<>();
            from.fieldNames().forEachRemaining(names::add);
            to.fieldNames().forEachRemaining(names::add);
            for (String name : names) {
                compare(at + "/" + name.replace("~", "~0").replace("/", "~1"), from.path(name), to.path(name), changes);
            }
        } else if (from.isArray() && to.isArray()) {
            for (int i = 0; i < Math.max(from.size(), to.size()); i++) {
                compare(at + "/" + i, from.path(i), to.path(i), changes);
            }
        } else {
            changes.add(new Change(at, there(from), there(to)));
        }
    }

    private static Optional<JsonNode> there(JsonNode node) {
        return node instanceof MissingNode ? Optional.empty() : Optional.of(node);
    }
}
