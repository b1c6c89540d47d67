package io.holdfast.lua.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Hashes and sorted sets in memory, and the few commands the scripts use on them, with the refusals of a full or read-only Redis. */
final class HashStore {

    private final Map<String, Map<String, String>> hashes = new TreeMap<>();
    private final Map<String, Map<String, Long>> sorted = new TreeMap<>();
    private final Map<String, Long> lives = new HashMap<>();
    private boolean full;
    private boolean readOnly;
    private boolean written;

    HashStore copy() {
        HashStore copy = emptied();
        hashes.forEach((key, hash) -> copy.hashes.put(key, new LinkedHashMap<>(hash)));
        sorted.forEach((key, set) -> copy.sorted.put(key, new TreeMap<>(set)));
        copy.lives.putAll(lives);
        return copy;
    }

    HashStore emptied() {
        HashStore empty = new HashStore();
        empty.full = full;
        empty.readOnly = readOnly;
        return empty;
    }

    void full(boolean isFull) {
        full = isFull;
    }

    void readOnly(boolean isReadOnly) {
        readOnly = isReadOnly;
    }

    Map<String, String> hash(String key) {
        return Map.copyOf(hashes.getOrDefault(key, Map.of()));
    }

    /** A field of a hash; null where there is none. */
    @Nullable
    String field(String key, String field) {
        return hashes.getOrDefault(key, Map.of()).get(field);
    }

    /** Whether the last script wrote anything. */
    boolean written() {
        return written;
    }

    /** Members of a sorted set and their scores, those of lower score first, then in the order of their names. */
    Map<String, Long> scores(String key) {
        Map<String, Long> scores = new LinkedHashMap<>();
        sorted.getOrDefault(key, Map.of()).entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .forEach(member -> scores.put(member.getKey(), member.getValue()));
        return scores;
    }

    /** Milliseconds it was given to live; -1 where it stays. */
    long lives(String key) {
        return lives.getOrDefault(key, -1L);
    }

    void expire() {
        List.copyOf(lives.keySet()).forEach(this::remove);
    }

    void put(String key, String field, String value) {
        hashes.computeIfAbsent(key, k -> new LinkedHashMap<>()).put(field, value);
    }

    void remove(String key) {
        hashes.remove(key);
        sorted.remove(key);
        lives.remove(key);
    }

    void removeField(String key, String field) {
        Map<String, String> hash = hashes.getOrDefault(key, new LinkedHashMap<>());
        hash.remove(field);
        if (hash.isEmpty()) {
            remove(key);
        }
    }

    /** A script begins: whether it has written decides what a full Redis still lets it do. */
    void scriptBegins() {
        written = false;
    }

    /**
     * One command.
     *
     * @param allowed keys the script was called with; Redis Cluster would refuse others, so does the model
     * @return a text, a list of texts and nulls, a number, or null
     */
    @Nullable
    Object command(List<String> words, List<String> allowed) {
        String name = words.get(0);
        String key = words.get(1);
        for (String named : name.equals("UNLINK") ? words.subList(1, words.size()) : List.of(key)) {
            if (!allowed.contains(named)) {
                throw new ScriptFault(name + " of a key the script was not called with: " + named);
            }
        }
        List<String> rest = words.subList(2, words.size());
        Map<String, String> hash = hashes.getOrDefault(key, Map.of());
        return switch (name) {
            case "HGET" -> hash.get(rest.get(0));
            case "HMGET" -> {
                List<@Nullable String> values = new ArrayList<>();
                rest.forEach(field -> values.add(hash.get(field)));
                yield values;
            }
            case "HGETALL" -> {
                List<String> values = new ArrayList<>();
                hash.forEach((field, value) -> values.addAll(List.of(field, value)));
                yield values;
            }
            case "EXISTS" -> there(key) ? 1L : 0L;
            case "HSET" -> {
                write(true);
                if (rest.isEmpty() || rest.size() % 2 != 0) {
                    throw new ScriptFault("HSET with " + rest.size() + " words after the key");
                }
                for (int i = 0; i < rest.size(); i += 2) {
                    put(key, rest.get(i), rest.get(i + 1));
                }
                yield (long) rest.size() / 2;
            }
            case "HDEL" -> {
                write(false);
                long removed = rest.stream().filter(hash::containsKey).count();
                rest.forEach(field -> removeField(key, field));
                yield removed;
            }
            case "UNLINK" -> {
                write(false);
                List<String> named = words.subList(1, words.size());
                long there = named.stream().filter(this::there).count();
                named.forEach(this::remove);
                yield there;
            }
            case "PEXPIRE" -> {
                write(false);
                if (there(key)) {
                    lives.put(key, Long.parseLong(rest.get(0)));
                }
                yield there(key) ? 1L : 0L;
            }
            case "ZADD" -> {
                write(true);
                Map<String, Long> set = sorted.computeIfAbsent(key, k -> new TreeMap<>());
                yield set.put(rest.get(1), Long.parseLong(rest.get(0))) == null ? 1L : 0L;
            }
            case "ZREM" -> {
                write(false);
                Map<String, Long> set = sorted.getOrDefault(key, new TreeMap<>());
                boolean removed = set.remove(rest.get(0)) != null;
                if (set.isEmpty()) {
                    sorted.remove(key);
                }
                yield removed ? 1L : 0L;
            }
            case "ZCARD" -> (long) sorted.getOrDefault(key, Map.of()).size();
            case "ZRANGEBYSCORE" -> {
                if (!rest.get(0).equals("-inf")
                        || !rest.get(2).equals("LIMIT")
                        || !rest.get(3).equals("0")) {
                    throw new ScriptFault("the model has no ZRANGEBYSCORE like " + rest);
                }
                long last = Long.parseLong(rest.get(1));
                yield scores(key).entrySet().stream()
                        .filter(member -> member.getValue() <= last)
                        .limit(Long.parseLong(rest.get(4)))
                        .map(Map.Entry::getKey)
                        .toList();
            }
            default -> throw new ScriptFault("the model has no command " + name);
        };
    }

    private boolean there(String key) {
        return hashes.containsKey(key) || sorted.containsKey(key);
    }

    private void write(boolean grows) {
        if (readOnly) {
            throw new RedisRefusal("READONLY You can't write against a read only replica.");
        }
        if (full && grows && !written) {
            throw new RedisRefusal("OOM command not allowed when used memory > 'maxmemory'.");
        }
        written = true;
    }
}
