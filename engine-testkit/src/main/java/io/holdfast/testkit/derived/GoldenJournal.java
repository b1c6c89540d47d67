package io.holdfast.testkit.derived;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.engine.entity.Entry;
import io.holdfast.engine.entity.Meta;
import io.holdfast.engine.journal.JournalCodec;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.MachineSamples;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/**
 * Every released encoding of a machine's events stays readable. Extend it once per machine. The files lie in {@code
 * src/test/resources/golden/<machine>/<version>/}, one per kind of event and one for a stalled effect. {@code -Dgolden.write=true}
 * writes files that are missing and never touches one that is there: a file that no longer fits shows that the encoding changed, which needs a
 * new schema version and an upcaster, not a new file.
 *
 * @param <E> events of the machine
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
public abstract class GoldenJournal<E> {

    private static final String WRITE = "golden.write";
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    /** Name of the machine. */
    protected abstract String machine();

    /** The sealed type of its events. */
    protected abstract Class<E> eventType();

    /** Its codec. */
    protected abstract JournalCodec<E> codec();

    /** One example or more of every kind of event, with every optional part present in one of them. */
    protected abstract List<E> examples();

    @Test
    void every_kind_of_event_has_an_example_and_a_file_of_this_version() throws IOException {
        Map<String, Entry<E>> current = current();
        List<String> missing = new ArrayList<>();
        for (Class<?> kind : MachineSamples.kinds(eventType())) {
            if (current.keySet().stream().noneMatch(name -> kindOf(name).equals(kind.getSimpleName()))) {
                missing.add("no example of " + kind.getSimpleName());
            }
        }
        for (var example : current.entrySet()) {
            Path file = folder().resolve(version()).resolve(example.getKey() + ".json");
            if (!Files.exists(file) && Boolean.getBoolean(WRITE)) {
                Files.createDirectories(file.getParent());
                JsonNode tree = JSON.readTree(codec().encode(example.getValue()));
                Files.writeString(file, JSON.writeValueAsString(tree) + "\n");
            }
            if (!Files.exists(file)) {
                missing.add("no file " + file + " (-D" + WRITE + "=true writes it)");
            }
        }
        fail(missing);
    }

    @Test
    void every_file_of_every_version_is_read_as_the_event_it_was() throws IOException {
        List<String> wrong = new ArrayList<>();
        Map<String, Entry<E>> current = current();
        for (Path file : files()) {
            String name = file.getFileName().toString().replace(".json", "");
            Entry<E> read;
            try {
                read = codec().decode(Files.readAllBytes(file));
            } catch (RuntimeException unreadable) {
                wrong.add(file + " can't be read any more: " + unreadable.getMessage());
                continue;
            }
            Entry<E> example = current.get(name);
            if (example != null && file.startsWith(folder().resolve(version())) && !read.equals(example)) {
                wrong.add(file + " is read as " + read + ", but was written from " + example);
            }
        }
        fail(wrong);
    }

    @Test
    void every_file_of_this_version_is_written_again_as_it_is() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Path file : files()) {
            if (file.startsWith(folder().resolve(version()))) {
                JsonNode before = JSON.readTree(Files.readAllBytes(file));
                JsonNode after = JSON.readTree(codec().encode(codec().decode(Files.readAllBytes(file))));
                if (!before.equals(after)) {
                    wrong.add(file + " is written as " + after);
                }
            }
        }
        fail(wrong);
    }

    @Test
    void a_field_that_this_version_does_not_know_is_passed_over() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Path file : files()) {
            ObjectNode known = (ObjectNode) JSON.readTree(Files.readAllBytes(file));
            ObjectNode more = known.deepCopy();
            more.put("added_later", "x");
            ((ObjectNode) more.path("cause")).put("added_later", 1);
            ((ObjectNode) more.path("data")).putObject("added_later").put("y", true);
            Entry<E> read = codec().decode(JSON.writeValueAsBytes(more));
            if (!read.equals(codec().decode(JSON.writeValueAsBytes(known)))) {
                wrong.add(file + " is read differently with a field added");
            }
        }
        fail(wrong);
    }

    private Map<String, Entry<E>> current() {
        Map<String, Entry<E>> entries = new LinkedHashMap<>();
        Map<String, Integer> seen = new LinkedHashMap<>();
        for (E event : examples()) {
            String kind = event.getClass().getSimpleName();
            int number = seen.merge(kind, 1, Integer::sum);
            entries.put(number == 1 ? kind : kind + "-" + number, new Entry.Happened<>(event, meta()));
        }
        entries.put("EffectStalled", stalled());
        return entries;
    }

    private Entry<E> stalled() {
        return new Entry.EffectStalled<>("TRY:r-1", "try", 8, "no answer within 500 ms", meta());
    }

    private static Meta meta() {
        Instant at = Instant.parse("2026-01-02T03:04:05.678901Z");
        Cause cause = new Cause(
                "cause-1", "0".repeat(64), Cause.Kind.REQUEST, "shop", Optional.of("4bf92f3577b34da6a3ce929d0e0e4736"));
        return new Meta(at, cause, Optional.of(at));
    }

    private static String kindOf(String name) {
        int variant = name.indexOf('-');
        return variant < 0 ? name : name.substring(0, variant);
    }

    /** The folder of this version, named as the codec writes it. */
    private String version() throws IOException {
        return "v" + JSON.readTree(codec().encode(stalled())).path("v").asInt();
    }

    private Path folder() {
        return Path.of("src", "test", "resources", "golden", machine());
    }

    private List<Path> files() throws IOException {
        if (!Files.isDirectory(folder())) {
            throw new AssertionError("no golden journal in " + folder().toAbsolutePath());
        }
        try (Stream<Path> all = Files.walk(folder())) {
            return all.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void fail(List<String> wrong) {
        if (!wrong.isEmpty()) {
            throw new AssertionError(String.join(System.lineSeparator(), wrong));
        }
    }
}
