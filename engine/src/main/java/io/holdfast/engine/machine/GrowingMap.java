package io.holdfast.engine.machine;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A map that a state keeps for ever and that only grows, in order of arrival. Immutable, yet one more entry does not copy all the others:
 * they lie in blocks, each at least twice as large as the next, which are merged as they fill. So the number of blocks a look-up passes, and
 * of times an entry is copied, is at most about the binary logarithm of their number.
 *
 * @param <V> values; never null
 */
public final class GrowingMap<V> extends AbstractMap<String, V> {

    private static final GrowingMap<?> EMPTY = new GrowingMap<>(List.of(), 0);

    /** Oldest, and largest, first. */
    private final List<Map<String, V>> blocks;

    private final int size;

    private GrowingMap(List<Map<String, V>> blocks, int size) {
        this.blocks = blocks;
        this.size = size;
    }

    /** No entries. */
    @SuppressWarnings("unchecked") // there is no value in it
    public static <V> GrowingMap<V> empty() {
        return (GrowingMap<V>) EMPTY;
    }

    /** The entries of this map, in its order; itself if it is one of these. */
    public static <V> GrowingMap<V> copyOf(Map<String, V> entries) {
        if (entries instanceof GrowingMap<V> same) {
            return same;
        }
        GrowingMap<V> copy = empty();
        for (Entry<String, V> entry : entries.entrySet()) {
            copy = copy.with(entry.getKey(), entry.getValue());
        }
        return copy;
    }

    /** These and one more; a key that is there keeps its first value. */
    public GrowingMap<V> with(String key, V value) {
        if (containsKey(key)) {
            return this;
        }
        int merged = blocks.size();
        int entries = 1;
        while (merged > 0 && blocks.get(merged - 1).size() < 2 * entries) {
            merged--;
            entries += blocks.get(merged).size();
        }
        Map<String, V> last = LinkedHashMap.newLinkedHashMap(entries);
        blocks.subList(merged, blocks.size()).forEach(last::putAll);
        last.put(key, value);
        return new GrowingMap<>(
                Stream.concat(blocks.subList(0, merged).stream(), Stream.of(Collections.unmodifiableMap(last)))
                        .toList(),
                size + 1);
    }

    /** Blocks it lies in: few, however many entries there are. */
    int blocks() {
        return blocks.size();
    }

    @Override
    public @Nullable V get(@Nullable Object key) {
        for (Map<String, V> block : blocks) {
            V value = block.get(key);
            if (value != null) {
                return value;
            }
        }
        return null;
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return get(key) != null;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public Set<Entry<String, V>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Entry<String, V>> iterator() {
                return blocks.stream()
                        .flatMap(block -> block.entrySet().stream())
                        .iterator();
            }

            @Override
            public int size() {
                return size;
            }
        };
    }
}
