package io.holdfast.lua.conformance;

import io.holdfast.lua.StockScripts;
import java.util.List;
import java.util.Map;

/** An implementation of the port, with what a test needs besides: a look and a hand behind it. */
public interface ScriptsUnderTest extends AutoCloseable {

    /** The port. */
    StockScripts scripts();

    /** Runs a script with keys and arguments as they are, past the port. */
    List<?> raw(String script, List<String> keys, List<String> arguments);

    /** Identity of the Redis process, as the port passes it. */
    String processId();

    /** The stored fields of a key, empty where there is none. */
    Map<String, String> hash(String key);

    /** Writes a field behind the scripts' back. */
    void put(String key, String field, String value);

    /** Removes a field behind the scripts' back. */
    void removeField(String key, String field);

    /** Removes a key behind the scripts' back. */
    void remove(String key);

    @Override
    void close();
}
