package io.holdfast.lua.script;

import java.util.List;

/**
 * One call of a script, ready to send.
 *
 * @param entity reservation or pool the answer must name
 * @param call identity of the call the answer must name
 */
public record ScriptCall(String script, List<String> keys, List<String> arguments, String entity, String call) {
    public ScriptCall {
        keys = List.copyOf(keys);
        arguments = List.copyOf(arguments);
    }
}
