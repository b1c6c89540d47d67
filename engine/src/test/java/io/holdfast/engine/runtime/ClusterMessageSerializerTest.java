package io.holdfast.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import io.holdfast.engine.entity.EffectProgress;
import io.holdfast.engine.entity.Parcel;
import io.holdfast.engine.entity.Parcel.Command;
import io.holdfast.engine.entity.Parcel.Event;
import io.holdfast.engine.entity.Parcel.State;
import io.holdfast.engine.entity.ParcelMachine;
import io.holdfast.engine.machine.Cause;
import io.holdfast.engine.machine.EngineRefusal;
import io.holdfast.engine.machine.Verdict;
import java.io.NotSerializableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.serialization.SerializationExtension;
import org.apache.pekko.serialization.SerializerWithStringManifest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ClusterMessageSerializerTest {

    private static ActorTestKit kit;
    private static TestProbe<EntityResponse<State>> asker;

    @BeforeAll
    static void start() {
        kit = ActorTestKit.create("serialization", ConfigFactory.load());
        asker = kit.createTestProbe();
        MachineRegistry.of(kit.system())
                .register(MachineDefinition.of(
                        new ParcelMachine(), new Carrier(), State.class, Command.class, Event.class, Parcel.No.class));
    }

    @AfterAll
    static void stop() {
        kit.shutdownTestKit();
    }

    static List<ClusterMessage> messages() {
        var cause = new Cause("k-1", "h-1", Cause.Kind.OPERATOR, "ann", Optional.of("t"));
        var working = new EffectProgress(
                "SHIP:vase", "ship", 3, Optional.of("gone"), Optional.of(Instant.parse("2026-01-01T00:00:00Z")), true);
        State packing = new State.Packing("vase", Optional.empty(), false, List.of("a", "b"));
        return List.of(
                new EntityMessage.Ask<State, Command>(
                        "parcel",
                        "p-1",
                        cause,
                        new Command.Pack("vase", Optional.of(Instant.EPOCH), true),
                        Duration.ofMillis(1500),
                        asker.getRef()),
                new EntityMessage.Look<State, Command>("parcel", "p-1", asker.getRef()),
                new EntityMessage.Wake<State, Command>("parcel", "p-1"),
                new EntityResponse.Answered<>(
                        "parcel", new Reply<>("p-1", 7, Verdict.pending(), false, packing, List.of(working))),
                new EntityResponse.Answered<>(
                        "parcel", new Reply<State>("p-1", 7, Verdict.done(), true, new State.Empty(), List.of())),
                new EntityResponse.Answered<>(
                        "parcel",
                        new Reply<State>(
                                "p-1",
                                0,
                                Verdict.refused(EngineRefusal.KEY_REUSED),
                                false,
                                new State.Empty(),
                                List.of())),
                new EntityResponse.Answered<>(
                        "parcel",
                        new Reply<State>(
                                "p-1",
                                0,
                                Verdict.refused(Parcel.No.NO_CARRIER),
                                false,
                                new State.Rejected("x"),
                                List.of())),
                new EntityResponse.NotAnswered<State>("parcel", "p-1", EntityResponse.Certainty.UNKNOWN, "why"));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void every_message_between_nodes_comes_back_as_it_was(ClusterMessage message) {
        kit.serializationTestKit().verifySerialization(message, true);
    }

    @Test
    void messages_are_written_by_this_serializer_with_their_machine_in_the_manifest() {
        var serializer = serializer();
        assertThat(serializer.identifier()).isEqualTo(ClusterMessageSerializer.IDENTIFIER);
        assertThat(serializer.manifest(messages().getFirst())).isEqualTo("ask:parcel");
        assertThat(new String(serializer.toBinary(messages().get(2)), StandardCharsets.UTF_8))
                .isEqualTo("{\"entity\":\"p-1\"}");
    }

    private static SerializerWithStringManifest serializer() {
        return (SerializerWithStringManifest) SerializationExtension.get(Adapter.toClassic(kit.system()))
                .findSerializerFor(messages().getFirst());
    }

    @Test
    void what_this_version_does_not_know_is_refused() {
        var serializer = serializer();
        byte[] known = serializer.toBinary(messages().get(5));
        String json = new String(known, StandardCharsets.UTF_8);

        for (var wrong : List.of(
                json.replace("KEY_REUSED", "NEVER_HEARD"),
                json.replace("REFUSED", "MAYBE"),
                json.replace("\"entity\"", "\"thing\""),
                json.replace("Empty", "Full"))) {
            assertThat(wrong).isNotEqualTo(json);
            assertThatThrownBy(() -> serializer.fromBinary(wrong.getBytes(StandardCharsets.UTF_8), "answered:parcel"))
                    .isInstanceOf(NotSerializableException.class);
        }
        for (var manifest : List.of("sang:parcel", "answered", "answered:letter", "ask:parcel")) {
            assertThatThrownBy(() -> serializer.fromBinary(known, manifest))
                    .isInstanceOf(NotSerializableException.class);
        }
    }

    @Test
    void a_journal_payload_is_stored_as_its_json_under_the_name_of_its_machine() throws NotSerializableException {
        var payload = new JournalPayload("parcel", "{\"v\":1}".getBytes(StandardCharsets.UTF_8));
        var serializer = (SerializerWithStringManifest)
                SerializationExtension.get(Adapter.toClassic(kit.system())).findSerializerFor(payload);

        assertThat(serializer.identifier()).isEqualTo(JournalPayloadSerializer.IDENTIFIER);
        assertThat(serializer.manifest(payload)).isEqualTo("parcel");
        assertThat(serializer.toBinary(payload)).isEqualTo(payload.json());
        assertThat(serializer.fromBinary(payload.json(), "parcel")).isEqualTo(payload);
    }
}
