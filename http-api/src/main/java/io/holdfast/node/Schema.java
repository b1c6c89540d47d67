package io.holdfast.node;

import io.holdfast.config.PostgresSection;
import io.holdfast.config.SettingsException;
import io.holdfast.config.sql.Migrations;
import io.holdfast.engine.projection.Projections;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings the database to the schema this version needs, or insists that somebody has. */
final class Schema {

    private static final Logger LOG = LoggerFactory.getLogger(Schema.class);

    private Schema() {}

    /**
     * Migrates under Flyway's lock, or only checks; then asks whether projections can rely on this database.
     *
     * @throws io.holdfast.config.sql.MigrationException if the schema is not, and could not be made, what is needed
     * @throws SettingsException if projections could lose events on this database
     * @throws StartException if it does not answer within the start patience
     */
    static void prepare(PostgresSection section) {
        var migrations = new Migrations(Sessions.single(section, section.owner()));
        if (section.migrate()) {
            int applied = migrations.migrate();
            if (applied > 0) {
                LOG.info("Migrated the database: {} new.", applied);
            }
        } else {
            migrations.requireCurrent();
        }
        var projections = new Projections(Sessions.single(section, section.projector()));
        StartQuestion.waitFor(section, "PostgreSQL, asked whether projections can rely on it", () -> {
            try {
                projections.requireSafe();
                return true;
            } catch (IllegalStateException e) {
                throw new SettingsException("The database can't be relied on: " + e.getMessage());
            }
        });
    }
}
