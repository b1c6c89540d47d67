package io.holdfast.lua.model;

import io.holdfast.lua.script.ScriptText;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;
import party.iroiro.luajava.Lua;
import party.iroiro.luajava.LuaException;
import party.iroiro.luajava.lua51.Lua51;

/**
 * Lua 5.1 as Redis sets it up: base, string, table and math, no other globals than KEYS, ARGV and redis, texts alone as words of a
 * command, and an answer cut at its first nil.
 */
final class LuaMachine implements AutoCloseable {

    /** The globals a script sees; writing or reading any other is an error. luajava keeps globals of its own, hence a table apart. */
    private static final String ENVIRONMENT = """
        environment = { KEYS = {}, ARGV = {}, redis = redis, string = string, table = table, math = math,
            type = type, tonumber = tonumber, tostring = tostring, unpack = unpack, ipairs = ipairs, pairs = pairs,
            select = select, next = next, error = error, assert = assert }
        local function unknown(_, name) error('no global variable ' .. tostring(name), 2) end
        setmetatable(environment, { __index = unknown, __newindex = unknown })
        """;

    /** By text, what Lua makes of it: parsing takes longer than most runs, and there are many machines. */
    private static final Map<String, byte[]> PARSED = new ConcurrentHashMap<>();

    private final BinaryOperator<String> edit;
    private final Lua lua = new Lua51();
    private final Map<String, Integer> compiled = new HashMap<>();
    private HashStore store = new HashStore();
    private List<String> keys = List.of();
    private @Nullable RuntimeException refusal;

    /** @param edit what is run of a script, given its name and its text */
    LuaMachine(BinaryOperator<String> edit) {
        this.edit = edit;
        for (String library : List.of("", "string", "table", "math")) {
            lua.openLibrary(library);
        }
        lua.newTable();
        lua.push(this::redisCall);
        lua.setField(-2, "call");
        lua.setGlobal("redis");
        lua.run(ENVIRONMENT);
    }

    List<Object> call(String script, List<String> scriptKeys, List<String> arguments, HashStore scriptStore) {
        store = scriptStore;
        keys = scriptKeys;
        refusal = null;
        store.scriptBegins();
        int top = lua.getTop();
        try {
            lua.getGlobal("environment");
            table(scriptKeys);
            lua.setField(-2, "KEYS");
            table(arguments);
            lua.setField(-2, "ARGV");
            lua.refGet(compiled.computeIfAbsent(script, this::compile));
            lua.pCall(0, 1);
            if (!lua.isTable(-1)) {
                throw new ScriptFault(script + " answered no list");
            }
            return list(-1);
        } catch (LuaException e) {
            if (refusal != null) {
                throw refusal;
            }
            throw new ScriptFault(script + ": " + e.getMessage());
        } finally {
            lua.setTop(top);
        }
    }

    private int compile(String script) {
        String text = edit.apply(script, ScriptText.loaded(script));
        byte[] parsed = PARSED.get(text);
        if (parsed == null) {
            load(script, text.getBytes(StandardCharsets.US_ASCII));
            ByteBuffer dump = lua.dump();
            parsed = new byte[dump.remaining()];
            dump.get(parsed);
            PARSED.put(text, parsed);
        } else {
            load(script, parsed);
        }
        lua.getGlobal("setfenv");
        lua.pushValue(-2);
        lua.getGlobal("environment");
        lua.pCall(2, 0);
        return lua.ref();
    }

    private void load(String script, byte[] chunk) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(chunk.length);
        buffer.put(chunk).flip();
        lua.load(buffer, "@" + script);
    }

    private void table(List<String> values) {
        lua.createTable(values.size(), 0);
        for (int i = 0; i < values.size(); i++) {
            lua.push(values.get(i));
            lua.rawSetI(-2, i + 1);
        }
    }

    /** {@code redis.call}. Errors of Redis are thrown to the caller of the script past Lua, which could not treat them otherwise. */
    private int redisCall(Lua l) {
        try {
            List<String> words = new ArrayList<>();
            for (int i = 1; i <= l.getTop(); i++) {
                if (l.type(i) != Lua.LuaType.STRING) {
                    throw new ScriptFault("word " + i + " of " + words + " is no text but " + l.type(i));
                }
                words.add(l.toString(i));
            }
            push(l, store.command(words, keys));
            return 1;
        } catch (RedisRefusal | ScriptFault e) {
            refusal = e;
            return l.error(e);
        }
    }

    private static void push(Lua l, @Nullable Object value) {
        switch (value) {
            case null -> l.push(false);
            case String text -> l.push(text);
            case Long number -> l.push((Number) number);
            case List<?> list -> {
                l.createTable(list.size(), 0);
                for (int i = 0; i < list.size(); i++) {
                    push(l, list.get(i));
                    l.rawSetI(-2, i + 1);
                }
            }
            default -> throw new AssertionError("not a reply of Redis: " + value);
        }
    }

    private List<Object> list(int index) {
        List<Object> values = new ArrayList<>();
        for (int i = 1; ; i++) {
            lua.rawGetI(index, i);
            try {
                switch (lua.type(-1)) {
                    case NIL -> {
                        return values;
                    }
                    case STRING -> values.add(lua.toString(-1));
                    case TABLE -> values.add(list(lua.getTop()));
                    default -> throw new ScriptFault("an answer with a " + lua.type(-1) + " as part " + i);
                }
            } finally {
                lua.pop(1);
            }
        }
    }

    @Override
    public void close() {
        lua.close();
    }
}
