package io.holdfast.engine.projection;

import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/**
 * Shares that stand at the same offset, and so are worked on as one.
 *
 * @param shares their numbers
 * @param slices all their slices
 * @param from their offset
 * @param upTo where the next of the other shares of this node stand, once they are reached they join
 */
record Group(SortedSet<Integer> shares, List<Slices> slices, Offset from, Optional<Offset> upTo) {}
