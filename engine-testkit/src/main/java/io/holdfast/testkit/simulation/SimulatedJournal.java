package io.holdfast.testkit.simulation;

import io.holdfast.engine.entity.Entry;
import io.holdfast.engine.journal.JournalCodec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The journal of one machine, in memory, with the one rule it needs: {@code (entity id, sequence number)} is unique, so of two writers at the
 * same number the second fails. Entries go through their real encoding, unless the fleet hands over.
 */
public final class SimulatedJournal<E> {

    private final Timeline timeline;
    private final JournalCodec<E> codec;
    private final boolean encodes;
    private final Map<String, List<Entry<E>>> lines = new TreeMap<>();
    private final Map<String, Instant> written = new HashMap<>();
    /** Where each entry is, oldest first. */
    private final List<Place> order = new ArrayList<>();

    /**
     * Where an entry is.
     *
     * @param entityId whose
     * @param sequenceNumber which of its entries
     * @param ordering what the journal numbers writes by: given when a write begins, so one that takes long is seen after higher ones
     */
    public record Place(String entityId, long sequenceNumber, long ordering) {}

    private long begun;

    SimulatedJournal(Timeline timeline, JournalCodec<E> codec, boolean encodes) {
        this.encodes = encodes;
        this.timeline = timeline;
        this.codec = codec;
    }

    /** The ordering of a write that begins now. */
    long begin() {
        return ++begun;
    }

    /**
     * Writes entries, all or none.
     *
     * @param firstNumber sequence number of the first of them
     * @param ordering of the write
     * @return false when another writer has written that number
     * @throws AssertionError when the number would leave a gap: no writer may do that
     */
    boolean append(String entityId, long firstNumber, List<Entry<E>> entries, long ordering) {
        List<Entry<E>> journal = lines.computeIfAbsent(entityId, _ -> new ArrayList<>());
        if (firstNumber <= journal.size()) {
            return false;
        }
        if (firstNumber != journal.size() + 1) {
            throw new AssertionError(
                    "a gap in the journal of " + entityId + ": wrote " + firstNumber + " after " + journal.size());
        }
        for (Entry<E> entry : entries) {
            journal.add(encodes ? throughBytes(entry) : entry);
            order.add(new Place(entityId, journal.size(), ordering));
        }
        written.put(entityId, timeline.now());
        return true;
    }

    /** What a reader gets: the entry as it comes back from its bytes. */
    private Entry<E> throughBytes(Entry<E> entry) {
        Entry<E> read = codec.decode(codec.encode(entry));
        if (!read.equals(entry)) {
            throw new AssertionError("written as " + entry + ", read back as " + read);
        }
        return read;
    }

    /** Everything written about an entity, oldest first. */
    public List<Entry<E>> read(String entityId) {
        return Collections.unmodifiableList(lines.getOrDefault(entityId, List.of()));
    }

    /** When the last entry about an entity was written, by the right clock. */
    Instant writtenAt(String entityId) {
        return Objects.requireNonNull(written.get(entityId));
    }

    /** How many entries there are, of all entities. */
    public int size() {
        return order.size();
    }

    /**
     * Ids of the entities that were written about, sorted. A claim that is checked after every step looks at these alone.
     *
     * @param entries since there were so many entries, of all entities
     */
    public Set<String> writtenSince(int entries) {
        if (entries == order.size()) {
            return Set.of();
        }
        Set<String> written = new TreeSet<>();
        order.subList(entries, order.size()).forEach(place -> written.add(place.entityId()));
        return written;
    }

    /** Where every entry is, in the order in which they were written. */
    public List<Place> places() {
        return Collections.unmodifiableList(order);
    }

    /** Ids of the entities that have a past, sorted. */
    public List<String> entityIds() {
        return List.copyOf(lines.keySet());
    }
}
