package io.holdfast.lua.script;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The script files. */
public final class ScriptText {

    private ScriptText() {}

    /** A script as it is loaded: the shared part in front of the file. */
    public static String loaded(String script) {
        return file("shared") + file(script);
    }

    /** One file as it is. */
    public static String file(String name) {
        String resource = "/lua/" + name + ".lua";
        try (InputStream in = ScriptText.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalArgumentException("no script file " + resource);
            }
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
