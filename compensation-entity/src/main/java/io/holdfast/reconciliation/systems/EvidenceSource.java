package io.holdfast.reconciliation.systems;

/**
 * What one source says of an object.
 *
 * @param rank 1 is believed before 2
 * @param name which source
 * @param json what it says, as JSON
 */
public record EvidenceSource(int rank, String name, String json) {}
