package io.holdfast.lua.script;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Descriptor of one script file: the same lists as its header, and how a request becomes a call and an answer a reply.
 *
 * @param <Q> request
 * @param <R> reply
 */
public final class StockScript<Q, R> {

    /** The keys of a script after the first, which is always the pool's hash. */
    public enum OtherKeys {
        /** The fence of the reservation. */
        FENCE(Key.FENCE),
        /** The fence of the reservation, and the gate's. */
        FENCE_AND_GATE(Key.FENCE, Key.NOTES, Key.DUE, Key.ADMITTED),
        /** The fence of the reservation; the gate's too where it was admitted. */
        FENCE_AND_GATE_IF_ADMITTED(Key.FENCE, Key.NOTES, Key.DUE, Key.ADMITTED),
        /** The fence of the reservation, and the gate's list. */
        FENCE_AND_LIST(Key.FENCE, Key.DUE, Key.ADMITTED),
        /** The gate's list. */
        LIST(Key.DUE, Key.ADMITTED),
        /** The operations of the pool. */
        OPERATIONS(Key.OPERATIONS),
        /** The operations of the pool, and the gate's. */
        OPERATIONS_AND_GATE(Key.OPERATIONS, Key.NOTES, Key.DUE, Key.ADMITTED),
        /** One for each line of {@code fences}, and the gate's. */
        FENCES_AND_GATE(Key.FENCE, Key.NOTES, Key.DUE, Key.ADMITTED),
        /** The other pools of {@code pools}, and a fence for each line of {@code lines}. */
        GROUP(Key.FENCE),
        /** The fence of the first line of {@code looks}, then a pool and a fence for each further line. */
        LOOKS(Key.FENCE),
        /** The operations of the pool, the fence that {@code fence} names, if any, and the gate's. */
        OPERATIONS_FENCE_AND_GATE(Key.OPERATIONS, Key.FENCE, Key.NOTES, Key.DUE, Key.ADMITTED);

        /** As the header of a script writes a key and its type. */
        private static final class Key {
            private static final String FENCE = "hf:{pool}:r:<reservation> hash";
            private static final String OPERATIONS = "hf:{pool}:ops hash";
            private static final String NOTES = "hf:{pool}:notes hash";
            private static final String DUE = "hf:{pool}:due zset";
            private static final String ADMITTED = "hf:{pool}:admitted hash";
        }

        private final List<String> inHeader;

        OtherKeys(String... inHeader) {
            this.inHeader = List.of(inHeader);
        }

        /** As the header of a script writes them, each with its type. */
        public List<String> inHeader() {
            return inHeader;
        }
    }

    /** One argument in its place. The text is empty for call and run_id, which the runner adds. */
    public record Argument<Q>(String name, ArgumentKind kind, Optional<Function<Q, String>> text) {}

    /** Turns an answer with a certain result into a reply. */
    @FunctionalInterface
    interface Reader<R> {
        R read(Answer answer) throws GarbledAnswerException;
    }

    private final String name;
    private final OtherKeys otherKeys;
    private final Function<Q, String> pool;
    private final Function<Q, String> entity;
    private final Predicate<Q> admitted;
    private final boolean storesProcess;
    private Optional<Function<Q, List<String>>> ownKeys = Optional.empty();
    private Optional<Function<Q, List<String>>> fenced = Optional.empty();
    private final List<Argument<Q>> arguments = new ArrayList<>();
    private final Map<String, Reader<? extends R>> results = new LinkedHashMap<>();
    private final Map<String, Reader<? extends R>> refusals = new LinkedHashMap<>();

    private StockScript(
            String name,
            OtherKeys otherKeys,
            Function<Q, String> pool,
            Function<Q, String> entity,
            Predicate<Q> admitted,
            boolean storesProcess) {
        this.name = name;
        this.otherKeys = otherKeys;
        this.pool = pool;
        this.entity = entity;
        this.admitted = admitted;
        this.storesProcess = storesProcess;
        arguments.add(new Argument<>("call", ArgumentKind.ID, Optional.empty()));
        argument("pool", ArgumentKind.PATH, pool);
        arguments.add(new Argument<>("run_id", ArgumentKind.PATH, Optional.empty()));
    }

    static <Q, R> StockScript<Q, R> ofReservation(
            String name, OtherKeys otherKeys, Function<Q, String> pool, Function<Q, String> reservation) {
        return new StockScript<>(name, otherKeys, pool, reservation, _ -> false, false);
    }

    /** @param admitted whether the request is about a hold that was let in by the gate */
    static <Q, R> StockScript<Q, R> ofHold(
            String name, Function<Q, String> pool, Function<Q, String> reservation, Predicate<Q> admitted) {
        return new StockScript<>(name, OtherKeys.FENCE_AND_GATE_IF_ADMITTED, pool, reservation, admitted, false);
    }

    static <Q, R> StockScript<Q, R> ofGroup(String name, Function<Q, String> pool, Function<Q, String> reservation) {
        return new StockScript<>(name, OtherKeys.GROUP, pool, reservation, _ -> false, false);
    }

    static <Q, R> StockScript<Q, R> ofPool(
            String name, OtherKeys otherKeys, Function<Q, String> pool, boolean storesProcess) {
        return new StockScript<>(name, otherKeys, pool, pool, _ -> false, storesProcess);
    }

    /** @param keys all keys of a request, where each of them is under a hash tag of its own */
    static <Q, R> StockScript<Q, R> ofLooks(
            String name, Function<Q, String> firstPool, Function<Q, List<String>> keys) {
        StockScript<Q, R> script = new StockScript<>(name, OtherKeys.LOOKS, firstPool, firstPool, _ -> false, false);
        script.ownKeys = Optional.of(keys);
        return script;
    }

    StockScript<Q, R> argument(String argument, ArgumentKind kind, Function<Q, String> text) {
        arguments.add(new Argument<>(argument, kind, Optional.of(text)));
        return this;
    }

    /**
     * The argument {@code fences}.
     *
     * @param reservations the first word of each of its lines: a chunk is long, and need not be written down to be looked at
     */
    StockScript<Q, R> fences(Function<Q, String> text, Function<Q, List<String>> reservations) {
        fenced = Optional.of(reservations);
        return argument("fences", ArgumentKind.FENCES, text);
    }

    StockScript<Q, R> result(String result, Reader<? extends R> reader) {
        results.put(result, reader);
        return this;
    }

    StockScript<Q, R> refusal(String result, Reader<? extends R> reader) {
        refusals.put(result, reader);
        return this;
    }

    /** Name of the script: its file is {@code lua/<name>.lua}. */
    public String name() {
        return name;
    }

    /** The keys after the pool's hash. */
    public OtherKeys otherKeys() {
        return otherKeys;
    }

    /** The arguments, in order. */
    public List<Argument<Q>> arguments() {
        return List.copyOf(arguments);
    }

    /** Names of the results, in order, without the refusals. */
    public Set<String> results() {
        return results.keySet();
    }

    /** Names of the refusals, in order. */
    public Set<String> refusals() {
        return refusals.keySet();
    }

    /** Whether the script writes down the identity of the Redis process, which must then have been read just before. */
    public boolean storesProcess() {
        return storesProcess;
    }

    /** The pool a request is about; of a group, that of the line that asks. */
    String pool(Q request) {
        return pool.apply(request);
    }

    /**
     * The key that decides which node of a cluster has this pool.
     *
     * @param tag the hash tag the pool shares with others; empty where it has its own
     */
    public String poolKey(Q request, Optional<String> tag) {
        return PoolKeys.stock(pool.apply(request), tag);
    }

    /** The reply to a request that cannot be sent because an id is malformed, or empty for one that can. */
    public Optional<R> refusedUnsent(Q request) {
        for (Argument<Q> argument : arguments) {
            if (argument.text().isPresent()
                    && !sendable(argument, argument.text().get(), request)) {
                return Optional.of(
                        read(new Answer(name, "", "", "MALFORMED", false, "", "", List.of(argument.name()))));
            }
        }
        return Optional.empty();
    }

    private boolean sendable(Argument<Q> argument, Function<Q, String> text, Q request) {
        return argument.kind() == ArgumentKind.FENCES
                ? fenced(request).stream().allMatch(ArgumentKind.ID::sendable)
                : argument.kind().sendable(text.apply(request));
    }

    private List<String> fenced(Q request) {
        return fenced.map(reservations -> reservations.apply(request)).orElseGet(List::of);
    }

    private R read(Answer malformed) {
        try {
            return reader(malformed).read(malformed);
        } catch (GarbledAnswerException e) {
            throw new AssertionError("every script refuses malformed arguments", e);
        }
    }

    /**
     * The call this request becomes.
     *
     * @param tag the hash tag the pool shares with others; empty where it has its own
     */
    public ScriptCall call(Q request, Optional<String> tag, String call, String runId) {
        List<String> texts = new ArrayList<>(arguments.size());
        for (Argument<Q> argument : arguments) {
            texts.add(argument.text()
                    .map(f -> f.apply(request))
                    .orElseGet(() -> argument.name().equals("call") ? call : runId));
        }
        List<String> keys = ownKeys.map(own -> own.apply(request)).orElseGet(() -> keys(request, tag, texts));
        return new ScriptCall(name, keys, texts, entity.apply(request), call);
    }

    private List<String> keys(Q request, Optional<String> tag, List<String> texts) {
        String ofPool = pool.apply(request);
        List<String> keys = new ArrayList<>();
        if (otherKeys != OtherKeys.GROUP) {
            keys.add(PoolKeys.stock(ofPool, tag));
        }
        switch (otherKeys) {
            case FENCE -> keys.add(PoolKeys.fence(ofPool, tag, text("reservation", texts)));
            case FENCE_AND_GATE -> {
                keys.add(PoolKeys.fence(ofPool, tag, text("reservation", texts)));
                gate(ofPool, tag, keys);
            }
            case FENCE_AND_GATE_IF_ADMITTED -> {
                keys.add(PoolKeys.fence(ofPool, tag, text("reservation", texts)));
                if (admitted.test(request)) {
                    gate(ofPool, tag, keys);
                }
            }
            case FENCE_AND_LIST -> {
                keys.add(PoolKeys.fence(ofPool, tag, text("reservation", texts)));
                list(ofPool, tag, keys);
            }
            case LIST -> list(ofPool, tag, keys);
            case OPERATIONS -> keys.add(PoolKeys.operations(ofPool, tag));
            case OPERATIONS_AND_GATE -> {
                keys.add(PoolKeys.operations(ofPool, tag));
                gate(ofPool, tag, keys);
            }
            case FENCES_AND_GATE -> {
                String fences = PoolKeys.fence(ofPool, tag, "");
                fenced(request).forEach(id -> keys.add(fences + id));
                gate(ofPool, tag, keys);
            }
            case OPERATIONS_FENCE_AND_GATE -> {
                keys.add(PoolKeys.operations(ofPool, tag));
                FenceLines.firstWords(text("fence", texts)).forEach(id -> keys.add(PoolKeys.fence(ofPool, tag, id)));
                gate(ofPool, tag, keys);
            }
            case LOOKS -> throw new IllegalStateException(name + " names its keys itself");
            case GROUP -> {
                FenceLines.firstWords(text("pools", texts)).forEach(one -> keys.add(PoolKeys.stock(one, tag)));
                text("lines", texts).lines().forEach(line -> {
                    String[] words = line.split(" ", 3);
                    keys.add(PoolKeys.fence(words[1], tag, words[0]));
                });
            }
        }
        return keys;
    }

    private static void gate(String pool, Optional<String> tag, List<String> keys) {
        keys.add(PoolKeys.notes(pool, tag));
        list(pool, tag, keys);
    }

    private static void list(String pool, Optional<String> tag, List<String> keys) {
        keys.add(PoolKeys.due(pool, tag));
        keys.add(PoolKeys.admitted(pool, tag));
    }

    private String text(String argument, List<String> texts) {
        for (int i = 0; i < arguments.size(); i++) {
            if (arguments.get(i).name().equals(argument)) {
                return texts.get(i);
            }
        }
        throw new IllegalStateException(name + " has no argument " + argument);
    }

    /**
     * The reply an answer means.
     *
     * @throws GarbledAnswerException when it is none of this script's, or belongs to another call
     */
    public R reply(ScriptCall call, List<?> raw) throws GarbledAnswerException {
        Answer answer = Answer.read(raw);
        if (!answer.script().equals(name)
                || !answer.entity().equals(call.entity())
                || !answer.call().equals(call.call())) {
            throw new GarbledAnswerException("asked " + name + " of " + call.entity() + " (call " + call.call()
                    + "), answered " + answer.script() + " of " + answer.entity() + " (call " + answer.call() + ")");
        }
        return reader(answer).read(answer);
    }

    /** The name of the result in an answer that {@link #reply} has read. */
    public static String result(List<?> raw) {
        return String.valueOf(raw.get(3));
    }

    private Reader<? extends R> reader(Answer answer) throws GarbledAnswerException {
        Reader<? extends R> reader = results.get(answer.result());
        if (reader == null) {
            reader = refusals.get(answer.result());
        }
        if (reader == null) {
            throw new GarbledAnswerException(name + " has no result " + answer.result());
        }
        return reader;
    }
}
