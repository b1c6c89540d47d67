package io.holdfast.testkit.simulation;

/**
 * How likely each fault of the fleet is. Faults of the outside world wrap its performers, see {@code fault}.
 *
 * @param crashBeforePersist an entity loses its memory instead of journaling, per write
 * @param crashAfterPersist it journals, then loses its memory before anybody is told, per write; also a commit whose answer is lost
 * @param slowJournal a write takes seconds instead of milliseconds, per write
 * @param doubleInstance a message starts a second live instance of its entity on another node, per message
 * @param lostMessage a request or an answer between client and entity is lost, per message
 * @param duplicateMessage a request arrives twice, per message
 */
public record Storm(
        double crashBeforePersist,
        double crashAfterPersist,
        double slowJournal,
        double doubleInstance,
        double lostMessage,
        double duplicateMessage) {

    /** Nothing goes wrong. */
    public static Storm none() {
        return new Storm(0, 0, 0, 0, 0, 0);
    }

    /** Everything goes wrong now and then. */
    public static Storm all() {
        return new Storm(0.03, 0.03, 0.03, 0.02, 0.05, 0.05);
    }
}
