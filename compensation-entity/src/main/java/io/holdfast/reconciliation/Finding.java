package io.holdfast.reconciliation;

/**
 * One difference.
 *
 * @param object reservation id; the pool's id where it is about the pool
 * @param type what differs
 * @param kind what may be done about it
 * @param evidence what shows it
 */
public record Finding(String object, FindingType type, FindingClass kind, Evidence evidence) {

    /**
     * Both sides, each as it was read.
     *
     * @param journal what the journals say
     * @param redis what Redis says; for a difference within PostgreSQL, what the other table says
     * @param sequenceNumber of the entity's latest event when it was read; it was the same before and after Redis was
     * @param epoch of the pool in Redis
     * @param version of the pool in Redis
     * @param position of the journal which the view had passed
     */
    public record Evidence(
            String journal, String redis, long sequenceNumber, long epoch, long version, long position) {}
}
