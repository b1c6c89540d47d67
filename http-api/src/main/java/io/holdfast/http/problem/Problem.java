package io.holdfast.http.problem;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.holdfast.json.InputError;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One problem as RFC 9457 writes it, with the members this API adds.
 *
 * @param code what is wrong
 * @param detail about this occurrence, one sentence for a person; nothing from inside the server
 * @param instance the address that was asked; empty when the request was too malformed to have one
 * @param errors each fault of the input, where that is what is wrong
 * @param members further members by name, such as the reservation's id and status
 */
public record Problem(
        ProblemCode code, String detail, String instance, List<InputError> errors, Map<String, Object> members) {

    public Problem {
        errors = List.copyOf(errors);
        members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
    }

    /** A problem about what was asked at this address. */
    public static Problem of(ProblemCode code, String detail, String instance) {
        return new Problem(code, detail, instance, List.of(), Map.of());
    }

    /** Input that is not acceptable. */
    public static Problem invalid(List<InputError> errors, String instance) {
        String detail = errors.size() == 1
                ? named(errors.getFirst())
                : errors.size() + " values are not acceptable; see errors.";
        return new Problem(ProblemCode.INVALID_REQUEST, detail, instance, errors, Map.of());
    }

    /** With the name of the value, for whoever reads this line alone. */
    private static String named(InputError error) {
        return error.pointer().isEmpty() ? error.detail() : error.pointer().substring(1) + ": " + error.detail();
    }

    /** The same problem with one more member. */
    public Problem with(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(members);
        more.put(name, value);
        return new Problem(code, detail, instance, errors, more);
    }

    /** The document to send. */
    public Document document() {
        List<Fault> faults = new ArrayList<>();
        for (InputError error : errors) {
            faults.add(new Fault(lower(error.in()), error.pointer(), lower(error.code()), error.detail()));
        }
        return new Document(code.type(), code.title(), code.status(), detail, instance, code.name(), faults, members);
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** The wire form of a problem. */
    public record Document(
            String type,
            String title,
            int status,
            String detail,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) String instance,
            String code,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Fault> errors,
            @JsonAnyGetter Map<String, Object> members) {}

    /** The wire form of one fault. */
    public record Fault(String in, String pointer, String code, String detail) {}
}
