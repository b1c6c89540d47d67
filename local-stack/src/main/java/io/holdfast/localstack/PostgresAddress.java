package io.holdfast.localstack;

/** How to reach a PostgreSQL: the JDBC URL of one database, and who may use it. */
public record PostgresAddress(String jdbcUrl, String user, String password) {

    /** Without the password: addresses end up in logs. */
    @Override
    public String toString() {
        return jdbcUrl + " as " + user;
    }
}
