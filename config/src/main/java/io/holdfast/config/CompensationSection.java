package io.holdfast.config;

/**
 * {@code holdfast.compensation}.
 *
 * @param journal which compensations have a journal of their own
 * @param secondPerson whether a resolution takes effect only once another person has approved it
 */
public record CompensationSection(Journal journal, boolean secondPerson) {

    /** Which compensations have a journal of their own. */
    public enum Journal {
        /** Those that Redis contradicts; the others are in the reservation's journal alone. */
        CONTRADICTED,
        /** All. */
        ALWAYS
    }

    static CompensationSection read(SettingsReader reader) {
        return new CompensationSection(reader.choice("journal", Journal.class), reader.flag("second-person"));
    }
}
