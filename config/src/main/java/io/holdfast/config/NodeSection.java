package io.holdfast.config;

/**
 * {@code holdfast.node}.
 *
 * @param mode whether unsafe settings are refused
 * @param name the fleet's name; also that of the actor system
 */
public record NodeSection(Mode mode, String name) {

    /** What a node is for. */
    public enum Mode {
        /** Refuses to run open or not durable. */
        PRODUCTION,
        /** On a developer's machine. */
        DEVELOPMENT
    }

    static NodeSection read(SettingsReader reader) {
        String name = reader.text("name");
        if (!name.matches("[A-Za-z][A-Za-z0-9-]{0,31}")) {
            throw reader.bad("name", "letters, digits and hyphens, at most 32, a letter first");
        }
        return new NodeSection(reader.choice("mode", Mode.class), name);
    }
}
