package io.holdfast.lua.script;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The script files. */
public final class ScriptText {

    private static final List<Part> SHARED = Part.of(file("shared"));
    private static final Map<String, String> LOADED = new ConcurrentHashMap<>();

    private ScriptText() {}

    /** A script as it is loaded: what it uses of the shared file, in front of its own. */
    public static String loaded(String script) {
        return LOADED.computeIfAbsent(script, ScriptText::together);
    }

    private static String together(String script) {
        String own = file(script);
        Set<String> wanted = Part.words(own);
        // A part uses only what stands above it.
        List<String> used = new ArrayList<>();
        for (Part part : SHARED.reversed()) {
            if (part.always() || part.defines().stream().anyMatch(wanted::contains)) {
                wanted.addAll(Part.words(part.text()));
                used.addFirst(part.text());
            }
        }
        return String.join("\n", used) + own;
    }

    /**
     * A part of the shared file.
     *
     * @param defines the names it gives to what comes after; the first part is wanted always
     */
    private record Part(String text, Set<String> defines, boolean always) {

        private static final Pattern WORD = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
        private static final Pattern DEFINITION = Pattern.compile("(?m)^local (?:function )?([A-Za-z0-9_, ]+)");
        private static final String EMPTY_LINE = "\n\n";

        static List<Part> of(String shared) {
            List<Part> parts = new ArrayList<>();
            for (String text : shared.split(EMPTY_LINE, -1)) {
                Set<String> defines = new HashSet<>();
                DEFINITION.matcher(text).results().forEach(found -> defines.addAll(words(found.group(1))));
                parts.add(new Part(text + "\n", defines, parts.isEmpty()));
            }
            return parts;
        }

        static Set<String> words(String text) {
            return WORD.matcher(text).results().map(MatchResult::group).collect(Collectors.toCollection(HashSet::new));
        }
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
