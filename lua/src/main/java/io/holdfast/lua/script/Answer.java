package io.holdfast.lua.script;

import io.holdfast.lua.Admission;
import io.holdfast.lua.Books;
import io.holdfast.lua.ClaimDueReply;
import io.holdfast.lua.Fence;
import io.holdfast.lua.JournaledFence;
import io.holdfast.lua.Phase;
import io.holdfast.lua.PoolStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A script's answer, taken apart: {@code script, entity, call, result, repeated, "epoch version total deficit available reserved sold",
 * at, details...}.
 *
 * @param numbers empty where the script could not or need not name them
 * @param at milliseconds; empty for an answer that is not remembered
 * @param details what the result adds: texts, and lists of field, value, ...
 */
record Answer(
        String script,
        String entity,
        String call,
        String result,
        boolean repeated,
        String numbers,
        String at,
        List<Object> details) {

    private static final int FIXED = 7;
    private static final int NUMBERS = 7;
    private static final int ADMISSION = 5;
    private static final Set<String> OPERATIONS = Set.of("try", "handed_off", "confirm", "cancel");

    static Answer read(List<?> reply) throws GarbledAnswerException {
        if (reply.size() < FIXED) {
            throw new GarbledAnswerException("an answer of " + reply.size() + " parts");
        }
        for (Object part : reply.subList(0, FIXED)) {
            if (!(part instanceof String)) {
                throw new GarbledAnswerException("an answer with a part that is no text: " + part);
            }
        }
        return new Answer(
                (String) reply.get(0),
                (String) reply.get(1),
                (String) reply.get(2),
                (String) reply.get(3),
                "1".equals(reply.get(4)),
                (String) reply.get(5),
                (String) reply.get(6),
                new ArrayList<>(reply.subList(FIXED, reply.size())));
    }

    Books books() throws GarbledAnswerException {
        return books(List.of(numbers.split(" ")));
    }

    /** A moment in milliseconds. */
    Instant moment(int detail) throws GarbledAnswerException {
        return Instant.ofEpochMilli(number(detail));
    }

    Instant time() throws GarbledAnswerException {
        return Instant.ofEpochMilli(number(at));
    }

    String text(int detail) throws GarbledAnswerException {
        if (detail < details.size() && details.get(detail) instanceof String text) {
            return text;
        }
        throw new GarbledAnswerException(script + " answered " + result + " without detail " + (detail + 1));
    }

    long number(int detail) throws GarbledAnswerException {
        return number(text(detail));
    }

    boolean flag(int detail) throws GarbledAnswerException {
        return "1".equals(text(detail));
    }

    Phase phase(int detail) throws GarbledAnswerException {
        return constant(Phase.class, text(detail));
    }

    PoolStatus status(int detail) throws GarbledAnswerException {
        return constant(PoolStatus.class, text(detail));
    }

    /** All details, which are texts, in one. */
    String texts() throws GarbledAnswerException {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < details.size(); i++) {
            all.append(i == 0 ? "" : " ").append(text(i));
        }
        return all.toString();
    }

    /** A list of field, value, ... as a map. */
    Map<String, String> fields(int detail) throws GarbledAnswerException {
        if (detail >= details.size() || !(details.get(detail) instanceof List<?> list) || list.size() % 2 != 0) {
            throw new GarbledAnswerException(script + " answered " + result + " without the hash " + (detail + 1));
        }
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 0; i < list.size(); i += 2) {
            fields.put(String.valueOf(list.get(i)), String.valueOf(list.get(i + 1)));
        }
        return fields;
    }

    /** A fence as it is stored, or empty where the hash is. */
    Optional<Fence> fence(int detail) throws GarbledAnswerException {
        Map<String, String> stored = fields(detail);
        if (stored.isEmpty()) {
            return Optional.empty();
        }
        Map<String, Fence.Operation> operations = new LinkedHashMap<>();
        for (Map.Entry<String, String> field : stored.entrySet()) {
            String name = field.getKey();
            if (OPERATIONS.contains(name) || name.startsWith("refund:")) {
                operations.put(name, operation(field.getValue()));
            }
        }
        return Optional.of(new Fence(
                constant(Phase.class, stored.getOrDefault("phase", "")),
                number(stored.getOrDefault("quantity", "")),
                number(stored.getOrDefault("confirmed", "")),
                number(stored.getOrDefault("released", "")),
                number(stored.getOrDefault("refunded", "")),
                stored.containsKey("user") ? Optional.of(admitted(stored)) : Optional.empty(),
                operations));
    }

    private static JournaledFence.Admitted admitted(Map<String, String> stored) throws GarbledAnswerException {
        return new JournaledFence.Admitted(
                stored.getOrDefault("user", ""),
                stored.getOrDefault("request", ""),
                Instant.ofEpochMilli(number(stored.getOrDefault("deadline", ""))));
    }

    /** A list of reservation, what is kept of its admission, ... */
    List<ClaimDueReply.Due> due(int detail) throws GarbledAnswerException {
        List<ClaimDueReply.Due> due = new ArrayList<>();
        for (Map.Entry<String, String> hold : fields(detail).entrySet()) {
            due.add(new ClaimDueReply.Due(
                    hold.getKey(),
                    hold.getValue().isEmpty() ? Optional.empty() : Optional.of(admission(hold.getValue()))));
        }
        return due;
    }

    private static Admission admission(String kept) throws GarbledAnswerException {
        List<String> words = List.of(kept.split(" "));
        if (words.size() != ADMISSION + NUMBERS) {
            throw new GarbledAnswerException("not what is kept of an admission: " + kept);
        }
        return new Admission(
                number(words.get(0)),
                words.get(1),
                words.get(2),
                Instant.ofEpochMilli(number(words.get(3))),
                Instant.ofEpochMilli(number(words.get(4))),
                books(words.subList(ADMISSION, words.size())));
    }

    private static Fence.Operation operation(String kept) throws GarbledAnswerException {
        List<String> words = List.of(kept.split(" "));
        if (words.size() < NUMBERS + 2) {
            throw new GarbledAnswerException("a kept answer that is too short: " + kept);
        }
        return new Fence.Operation(
                words.get(0),
                books(words.subList(1, NUMBERS + 1)),
                Instant.ofEpochMilli(number(words.get(NUMBERS + 1))),
                words.subList(NUMBERS + 2, words.size()));
    }

    private static Books books(List<String> numbers) throws GarbledAnswerException {
        if (numbers.size() != NUMBERS) {
            throw new GarbledAnswerException("not the numbers of a pool: " + numbers);
        }
        return new Books(
                number(numbers.get(0)),
                number(numbers.get(1)),
                number(numbers.get(2)),
                number(numbers.get(3)),
                number(numbers.get(4)),
                number(numbers.get(5)),
                number(numbers.get(6)));
    }

    private static long number(String text) throws GarbledAnswerException {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new GarbledAnswerException("not a number: '" + text + "'");
        }
    }

    private static <E extends Enum<E>> E constant(Class<E> type, String text) throws GarbledAnswerException {
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equals(text)) {
                return constant;
            }
        }
        throw new GarbledAnswerException("not a " + type.getSimpleName() + ": '" + text + "'");
    }
}
