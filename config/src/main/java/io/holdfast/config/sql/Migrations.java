package io.holdfast.config.sql;

import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.output.MigrateResult;

/**
 * The migrations under {@code db/migration}, applied by Flyway. Several nodes may migrate at once: they wait for each other. A released
 * migration is never edited; a change is a new one that the version before it can live with, as both run during a rolling update.
 */
public final class Migrations {

    private final Flyway flyway;

    /** @param owner connects as the owner of the schema, who alone may create tables and hand out rights */
    public Migrations(DataSource owner) {
        this.flyway = Flyway.configure(Migrations.class.getClassLoader())
                .dataSource(owner)
                .locations("classpath:db/migration")
                .validateMigrationNaming(true)
                .cleanDisabled(true)
                .load();
    }

    /**
     * Applies what is missing.
     *
     * @return how many migrations that was
     * @throws MigrationException if the database can't be reached, or holds something else than these migrations made of it
     */
    public int migrate() {
        try {
            MigrateResult result = flyway.migrate();
            return result.migrationsExecuted;
        } catch (FlywayException e) {
            throw new MigrationException("the database could not be migrated: " + e.getMessage(), e);
        }
    }

    /**
     * Changes nothing. For nodes that do not own the schema. A schema that is newer than this version is accepted.
     *
     * @throws MigrationException if a migration is missing, or was edited after it was applied
     */
    public void requireCurrent() {
        try {
            var result = flyway.validateWithResult();
            if (!result.validationSuccessful) {
                throw new MigrationException(
                        "the database schema is not the one this version needs: " + result.getAllErrorMessages(), null);
            }
        } catch (FlywayException e) {
            throw new MigrationException("the database schema could not be checked: " + e.getMessage(), e);
        }
    }
}
