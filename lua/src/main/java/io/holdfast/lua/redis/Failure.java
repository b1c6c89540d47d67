package io.holdfast.lua.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an error of Redis or of the connection means. The rule: it is "not done" only where Redis says so or nothing was sent; everything
 * else is unknown.
 *
 * @param meaning for the call
 * @param why for people
 * @param connection what to do with the connection
 */
record Failure(Meaning meaning, String why, Connection connection) {

    /** For the call. */
    enum Meaning {
        /** Certainly not done. */
        NOT_DONE,
        /** Redis does not have the script: not done, load it and ask again. */
        NO_SCRIPT,
        /** May have been done. */
        UNKNOWN
    }

    /** For the connection. */
    enum Connection {
        KEEP,
        /** What was checked when it was opened may no longer be true, or it is gone. */
        DROP,
        /** The cluster has moved the slot. */
        REROUTE
    }

    private static final Pattern IN_SCRIPT = Pattern.compile(": -([A-Z]+) ");
    private static final Set<String> ROLE_CHANGED = Set.of("READONLY", "LOADING", "MASTERDOWN", "NOAUTH");
    private static final Set<String> SLOT_MOVED = Set.of("MOVED", "ASK", "TRYAGAIN", "CLUSTERDOWN");
    private static final Set<String> REFUSED = Set.of("OOM", "BUSY", "MISCONF", "NOREPLICAS", "NOPERM", "WRONGPASS");

    /** Said before anything is written. "Connection closed" is said of commands that may have been written: it is not of them. */
    private static final Set<String> NEVER_SENT =
            Set.of("Currently not connected. Commands are rejected.", "Connection is closed");

    static Failure of(Throwable thrown) {
        Throwable error = thrown;
        while (error instanceof CompletionException && error.getCause() != null) {
            error = error.getCause();
        }
        String message = String.valueOf(error.getMessage());
        if (error instanceof NotConnectedException) {
            return new Failure(Meaning.NOT_DONE, message, Connection.KEEP);
        }
        if (error instanceof RedisNoScriptException) {
            return new Failure(Meaning.NO_SCRIPT, message, Connection.KEEP);
        }
        if (error instanceof RedisCommandExecutionException) {
            return answered(message);
        }
        if (error instanceof RedisException && message.startsWith("Request queue size exceeded")) {
            return new Failure(Meaning.NOT_DONE, message, Connection.KEEP);
        }
        if (error instanceof RedisException && NEVER_SENT.contains(message)) {
            return new Failure(Meaning.NOT_DONE, message, Connection.DROP);
        }
        return new Failure(Meaning.UNKNOWN, error.getClass().getSimpleName() + ": " + message, Connection.DROP);
    }

    private static Failure answered(String message) {
        String code = message.split(" ", 2)[0];
        Matcher inScript = IN_SCRIPT.matcher(message);
        if (code.equals("ERR") && inScript.find()) {
            code = inScript.group(1);
        }
        if (ROLE_CHANGED.contains(code)) {
            return new Failure(Meaning.NOT_DONE, message, Connection.DROP);
        }
        if (SLOT_MOVED.contains(code)) {
            return new Failure(Meaning.NOT_DONE, message, Connection.REROUTE);
        }
        if (REFUSED.contains(code)) {
            return new Failure(Meaning.NOT_DONE, message, Connection.KEEP);
        }
        return new Failure(Meaning.UNKNOWN, message, Connection.KEEP);
    }
}
