package io.holdfast.lua.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lua.redis.Failure.Connection;
import io.holdfast.lua.redis.Failure.Meaning;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FailureTest {

    private record Row(Throwable error, Meaning meaning, Connection connection) {}

    private static Row answered(String message, Meaning meaning, Connection connection) {
        return new Row(new RedisCommandExecutionException(message), meaning, connection);
    }

    @Test
    void an_error_means_not_done_only_where_redis_says_so_or_nothing_was_sent() {
        String inScript = "ERR Error running script (call to f_ab): @user_script:170: @user_script: 170: -";
        List<Row> table = List.of(
                // Redis 6.2 wraps what a command inside a script meets, Redis 7 does not
                answered(
                        inScript + "OOM command not allowed when used memory > 'maxmemory'. ",
                        Meaning.NOT_DONE,
                        Connection.KEEP),
                answered(
                        "OOM command not allowed when used memory > 'maxmemory'. script: ab, on @user_script:170.",
                        Meaning.NOT_DONE,
                        Connection.KEEP),
                answered(
                        inScript + "READONLY You can't write against a read only replica. ",
                        Meaning.NOT_DONE,
                        Connection.DROP),
                answered("READONLY You can't write against a read only replica.", Meaning.NOT_DONE, Connection.DROP),
                answered(
                        inScript + "MISCONF Redis is configured to save RDB snapshots",
                        Meaning.NOT_DONE,
                        Connection.KEEP),
                answered("NOREPLICAS Not enough good replicas to write.", Meaning.NOT_DONE, Connection.KEEP),
                answered("LOADING Redis is loading the dataset in memory", Meaning.NOT_DONE, Connection.DROP),
                answered("MASTERDOWN Link with MASTER is down", Meaning.NOT_DONE, Connection.DROP),
                answered("BUSY Redis is busy running a script.", Meaning.NOT_DONE, Connection.KEEP),
                answered(
                        "NOPERM this user has no permissions to run the 'evalsha' command",
                        Meaning.NOT_DONE,
                        Connection.KEEP),
                answered("NOAUTH Authentication required.", Meaning.NOT_DONE, Connection.DROP),
                answered("MOVED 3999 127.0.0.1:6381", Meaning.NOT_DONE, Connection.REROUTE),
                answered("ASK 3999 127.0.0.1:6381", Meaning.NOT_DONE, Connection.REROUTE),
                answered(
                        "TRYAGAIN Multiple keys request during rehashing of slot",
                        Meaning.NOT_DONE,
                        Connection.REROUTE),
                answered("CLUSTERDOWN The cluster is down", Meaning.NOT_DONE, Connection.REROUTE),
                new Row(new RedisNoScriptException("NOSCRIPT No matching script."), Meaning.NO_SCRIPT, Connection.KEEP),
                new Row(
                        new RedisException("Request queue size exceeded: 5. Commands are not accepted"),
                        Meaning.NOT_DONE,
                        Connection.KEEP),
                new Row(new RedisException("Connection is closed"), Meaning.NOT_DONE, Connection.DROP),
                new Row(
                        new RedisException("Currently not connected. Commands are rejected."),
                        Meaning.NOT_DONE,
                        Connection.DROP),
                new Row(NotConnectedException.unreachable("down"), Meaning.NOT_DONE, Connection.KEEP),
                // what was written already is told this when its connection is closed
                new Row(new RedisException("Connection closed"), Meaning.UNKNOWN, Connection.DROP),
                // a script that broke may have written before
                answered(
                        "ERR Error running script (call to f_ab): @user_script:12: attempt to index a nil value",
                        Meaning.UNKNOWN,
                        Connection.KEEP),
                answered(
                        "WRONGTYPE Operation against a key holding the wrong kind of value",
                        Meaning.UNKNOWN,
                        Connection.KEEP),
                answered("ERR something new", Meaning.UNKNOWN, Connection.KEEP),
                new Row(new RedisException("Connection disconnected"), Meaning.UNKNOWN, Connection.DROP),
                new Row(new RedisConnectionException("Connection reset"), Meaning.UNKNOWN, Connection.DROP),
                new Row(new IOException("Broken pipe"), Meaning.UNKNOWN, Connection.DROP),
                new Row(new IllegalStateException("a codec that threw"), Meaning.UNKNOWN, Connection.DROP));

        assertThat(table).allSatisfy(row -> {
            Failure failure = Failure.of(new CompletionException(row.error()));
            assertThat(failure.meaning()).isEqualTo(row.meaning());
            assertThat(failure.connection()).isEqualTo(row.connection());
            assertThat(failure.why()).contains(row.error().getMessage());
        });
    }
}
