package io.holdfast.lua.redis;

import io.holdfast.lua.script.ScriptText;
import io.holdfast.lua.script.Scripts;
import io.holdfast.lua.script.StockScript;
import io.lettuce.core.codec.Base16;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** The texts of all scripts, and the digests under which Redis knows them. */
final class LoadedScripts {

    private final Map<String, String> texts = new LinkedHashMap<>();
    private final Map<String, String> digests = new LinkedHashMap<>();

    private LoadedScripts() {
        for (StockScript<?, ?> script : Scripts.ALL) {
            String text = ScriptText.loaded(script.name());
            texts.put(script.name(), text);
            digests.put(script.name(), Base16.digest(text.getBytes(StandardCharsets.US_ASCII)));
        }
    }

    /** Those of all scripts, put together once in this JVM. */
    static LoadedScripts all() {
        return All.SCRIPTS;
    }

    private static final class All {
        private static final LoadedScripts SCRIPTS = new LoadedScripts();
    }

    Iterable<String> texts() {
        return texts.values();
    }

    String digest(String script) {
        String digest = digests.get(script);
        if (digest == null) {
            throw new IllegalArgumentException("no script " + script);
        }
        return digest;
    }
}
