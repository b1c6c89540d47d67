package io.holdfast.engine.runtime;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdfast.engine.entity.EffectProgress;
import io.holdfast.engine.journal.JsonCodec;
import io.holdfast.engine.journal.UnreadableEntry;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.Refusal;
import io.holdfast.engine.machine.Verdict;
import io.holdfast.engine.runtime.EntityMessage.Ask;
import io.holdfast.engine.runtime.EntityMessage.FromAfar;
import io.holdfast.engine.runtime.EntityMessage.Look;
import io.holdfast.engine.runtime.EntityMessage.Wake;
import io.holdfast.engine.runtime.EntityResponse.Answered;
import io.holdfast.engine.runtime.EntityResponse.Certainty;
import io.holdfast.engine.runtime.EntityResponse.NotAnswered;
import java.io.IOException;
import java.io.NotSerializableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.serialization.SerializerWithStringManifest;
import org.jspecify.annotations.Nullable;

/**
 * Requests and answers between nodes as JSON. The manifest is {@code kind:machine}; the machine's own codecs write what is inside. A
 * message that can't be read is dropped and logged by Pekko, and its asker learns nothing in time, which reads as unknown.
 */
public final class ClusterMessageSerializer extends SerializerWithStringManifest {

    /** The same on every node. */
    public static final int IDENTIFIER = 735_502;

    private static final JsonMapper JSON = new JsonMapper();
    private static final JsonCodec<Cause> CAUSES = JsonCodec.of(Cause.class);
    private static final JsonCodec<EffectProgress> PROGRESS = JsonCodec.of(EffectProgress.class);

    private final ActorSystem<Void> system;
    private @Nullable MachineRegistry machines;

    /** Made by Pekko, from its configuration. */
    public ClusterMessageSerializer(ExtendedActorSystem system) {
        this.system = Adapter.toTyped(system);
    }

    @Override
    public int identifier() {
        return IDENTIFIER;
    }

    @Override
    public String manifest(Object message) {
        return kind((ClusterMessage) message) + ":" + ((ClusterMessage) message).machine();
    }

    private static String kind(ClusterMessage message) {
        return switch (message) {
            case Ask<?, ?> _ -> "ask";
            case Look<?, ?> _ -> "look";
            case Wake<?, ?> _ -> "wake";
            case Answered<?> _ -> "answered";
            case NotAnswered<?> _ -> "not-answered";
            default ->
                throw new IllegalArgumentException(
                        "not for other nodes: " + message.getClass().getName());
        };
    }

    @Override
    public byte[] toBinary(Object message) {
        try {
            return JSON.writeValueAsBytes(
                    write((ClusterMessage) message, definition(((ClusterMessage) message).machine())));
        } catch (IOException e) {
            throw new IllegalStateException("can't write " + message.getClass().getName(), e);
        }
    }

    @Override
    public Object fromBinary(byte[] bytes, String manifest) throws NotSerializableException {
        int colon = manifest.indexOf(':');
        if (colon < 0) {
            throw new NotSerializableException("no manifest of the engine: " + manifest);
        }
        String machine = manifest.substring(colon + 1);
        try {
            return read(manifest.substring(0, colon), machine, JSON.readTree(bytes), definition(machine));
        } catch (IOException | UnreadableEntry | IllegalArgumentException e) {
            var unreadable = new NotSerializableException("under the manifest " + manifest + ": " + e.getMessage());
            unreadable.initCause(e);
            throw unreadable;
        }
    }

    private MachineDefinition<?, ?, ?, ?> definition(String machine) {
        // Looked up late: serializers are made while extensions may not be.
        MachineRegistry known = machines;
        if (known == null) {
            known = MachineRegistry.of(system);
            machines = known;
        }
        return known.get(machine);
    }

    private <S, C> ObjectNode write(ClusterMessage message, MachineDefinition<?, ?, ?, ?> untyped) {
        @SuppressWarnings("unchecked")
        var definition = (MachineDefinition<S, C, ?, ?>) untyped;
        ObjectNode json = JSON.createObjectNode();
        switch (message) {
            case FromAfar<?, ?> request -> writeRequest(json, request, definition);
            case Answered<?> answered -> writeAnswer(json, answered.reply(), definition);
            case NotAnswered<?> not ->
                json.put("entity", not.entityId())
                        .put("certainty", not.certainty().name())
                        .put("why", not.why());
            default ->
                throw new IllegalArgumentException(
                        "not for other nodes: " + message.getClass().getName());
        }
        return json;
    }

    private <C> void writeRequest(ObjectNode json, FromAfar<?, ?> request, MachineDefinition<?, C, ?, ?> definition) {
        json.put("entity", request.entityId());
        switch (request) {
            case Ask<?, ?> ask -> {
                @SuppressWarnings("unchecked")
                C command = (C) ask.command();
                json.set("cause", CAUSES.toTree(ask.cause()));
                json.set("command", definition.commands().toTree(command));
                json.put("patience_ms", ask.patience().toMillis());
                json.put("reply_to", write(ask.replyTo()));
            }
            case Look<?, ?> look -> json.put("reply_to", write(look.replyTo()));
            case Wake<?, ?> _ -> {}
        }
    }

    private <S> void writeAnswer(ObjectNode json, Reply<?> reply, MachineDefinition<S, ?, ?, ?> definition) {
        @SuppressWarnings("unchecked")
        S state = (S) reply.state();
        json.put("entity", reply.entityId());
        json.put("sequence_number", reply.sequenceNumber());
        switch (reply.verdict()) {
            case Verdict.Pending() -> json.put("verdict", "PENDING");
            case Verdict.Done() -> json.put("verdict", "DONE");
            case Verdict.Refused(Refusal reason) ->
                json.put("verdict", "REFUSED").put("reason", reason.code());
        }
        json.put("repeated", reply.repeated());
        json.set("state", definition.states().toTree(state));
        ArrayNode working = json.putArray("working");
        reply.working().forEach(progress -> working.add(PROGRESS.toTree(progress)));
    }

    private <S, C> ClusterMessage read(
            String kind, String machine, JsonNode json, MachineDefinition<?, ?, ?, ?> untyped) {
        @SuppressWarnings("unchecked")
        var definition = (MachineDefinition<S, C, ?, ?>) untyped;
        String entity = text(json, "entity");
        return switch (kind) {
            case "ask" ->
                new Ask<S, C>(
                        machine,
                        entity,
                        CAUSES.decode(field(json, "cause")),
                        definition.commands().decode(field(json, "command")),
                        Duration.ofMillis(field(json, "patience_ms").longValue()),
                        ref(json));
            case "look" -> new Look<S, C>(machine, entity, ref(json));
            case "wake" -> new Wake<S, C>(machine, entity);
            case "answered" ->
                new Answered<>(
                        machine,
                        new Reply<>(
                                entity,
                                field(json, "sequence_number").longValue(),
                                verdict(json, definition),
                                field(json, "repeated").booleanValue(),
                                definition.states().decode(field(json, "state")),
                                working(json)));
            case "not-answered" ->
                new NotAnswered<S>(machine, entity, Certainty.valueOf(text(json, "certainty")), text(json, "why"));
            default -> throw new UnreadableEntry("no message of the engine is named " + kind);
        };
    }

    private static Verdict verdict(JsonNode json, MachineDefinition<?, ?, ?, ?> definition) {
        String verdict = text(json, "verdict");
        return switch (verdict) {
            case "PENDING" -> Verdict.pending();
            case "DONE" -> Verdict.done();
            case "REFUSED" -> {
                Refusal reason = definition.refusals().get(text(json, "reason"));
                if (reason == null) {
                    throw new UnreadableEntry("unknown refusal " + text(json, "reason"));
                }
                yield Verdict.refused(reason);
            }
            default -> throw new UnreadableEntry("unknown verdict " + verdict);
        };
    }

    private static List<EffectProgress> working(JsonNode json) {
        List<EffectProgress> working = new ArrayList<>();
        field(json, "working").forEach(progress -> working.add(PROGRESS.decode(progress)));
        return working;
    }

    private String write(ActorRef<?> ref) {
        return ActorRefResolver.get(system).toSerializationFormat(ref);
    }

    private <T> ActorRef<T> ref(JsonNode json) {
        return ActorRefResolver.get(system).resolveActorRef(text(json, "reply_to"));
    }

    private static JsonNode field(JsonNode json, String name) {
        JsonNode value = json.get(name);
        if (value == null) {
            throw new UnreadableEntry(name + " is missing");
        }
        return value;
    }

    private static String text(JsonNode json, String name) {
        JsonNode value = field(json, name);
        if (!value.isTextual()) {
            throw new UnreadableEntry(name + " is no text");
        }
        return value.textValue();
    }
}
