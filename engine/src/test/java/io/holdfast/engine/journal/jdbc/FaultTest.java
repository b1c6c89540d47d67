package io.holdfast.engine.journal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class FaultTest {

    @ParameterizedTest(name = "{0} {1} is {2}")
    @CsvSource({
        "23505, duplicate key,                  CONFLICT",
        "23514, a check,                        BAD_ROW",
        "22001, text too long,                  BAD_ROW",
        "22021, not UTF-8,                      BAD_ROW",
        "54000, index entry too large,          BAD_ROW",
        "53200, out of memory for one value,    BAD_ROW",
        "P0001, raised by a trigger,            BAD_ROW",
        "XX002, index damaged,                  BAD_ROW",
        "57014, statement time-out,             LOCKED",
        "55P03, lock time-out,                  LOCKED",
        "40P01, deadlock,                       NOT_NOW",
        "40001, serialization failure,          NOT_NOW",
        "53100, disk full,                      NOT_NOW",
        "53300, too many connections,           NOT_NOW",
        "08006, connection failure,             LOST",
        "08003, connection closed,              LOST",
        "08001, can't connect,                  LOST",
        "57P01, terminated by an administrator, LOST",
        "57P02, crash,                          LOST",
        "57P03, starting up,                    LOST",
        "25P04, transaction time-out,           LOST",
        "25006, read-only as a standby is,      LOST",
        "58030, I/O error of the server,        LOST",
        "26000, prepared statement gone,        LOST",
        "0A000, result of a plan changed,       LOST",
        "40003, completion unknown,             LOST",
        "42501, not allowed,                    NEVER",
        "42P01, no such table,                  NEVER",
        "3D000, no such database,               NEVER",
    })
    void a_state(String state, String meaning, Fault fault) {
        assertThat(Fault.of(new SQLException(meaning, state))).isEqualTo(fault);
    }

    @Test
    void what_the_driver_itself_says_is_no_word_of_the_server() {
        assertThat(Fault.of(new SQLException("something broke"))).isEqualTo(Fault.LOST);
        assertThat(Fault.of(new SQLException("something broke", ""))).isEqualTo(Fault.LOST);
    }
}
