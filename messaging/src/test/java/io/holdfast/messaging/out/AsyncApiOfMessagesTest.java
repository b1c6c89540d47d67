package io.holdfast.messaging.out;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.json.JsonWriter;
import io.holdfast.messaging.AsyncApi;
import io.holdfast.messaging.kafka.TopicNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** Holds every message that the tables know against the AsyncAPI document, both ways. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class AsyncApiOfMessagesTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final AsyncApi document = AsyncApi.load();
    private final TopicNames topics = TopicNames.standard().makingOrders();

    @Test
    void the_document_is_of_version_three_and_refers_to_nothing_that_is_missing() {
        assertThat(document.document().at("/asyncapi").asText()).startsWith("3.");
        assertThat(document.brokenReferences()).isEmpty();
    }

    @Test
    void it_names_every_topic() {
        assertThat(topics.all())
                .allSatisfy(topic -> assertThat(document.messagesOf(topic)).isNotEmpty());
    }

    @Test
    void every_message_is_as_documented() throws Exception {
        for (OutgoingMessage message : all()) {
            assertThat(document.payloadFaults(message.type(), JSON.readTree(JsonWriter.write(message.data()))))
                    .as(message.toString())
                    .isEmpty();
        }
    }

    @Test
    void every_documented_message_is_sent_and_none_besides() {
        for (OutTopic topic : OutTopic.values()) {
            Set<String> sent = new TreeSet<>();
            all().stream().filter(message -> message.topic() == topic).forEach(message -> sent.add(message.type()));
            assertThat(sent).isEqualTo(document.messagesOf(topics.of(topic)));
        }
    }

    @Test
    void a_message_that_lacks_something_is_not_as_documented() throws Exception {
        for (OutgoingMessage message : all()) {
            if (message.topic() == OutTopic.ORDERS) {
                // News of orders has room for what other order systems tell besides.
                continue;
            }
            var data = (com.fasterxml.jackson.databind.node.ObjectNode) JSON.readTree(JsonWriter.write(message.data()));
            data.put("surprise", 1);
            assertThat(document.payloadFaults(message.type(), data))
                    .as(message.type())
                    .isNotEmpty();
        }
    }

    @Test
    void what_callers_may_ask_for_is_what_journals_announce() {
        Set<String> types = new TreeSet<>();
        announced().forEach(message -> types.add(message.type()));
        assertThat(types).isEqualTo(AnnouncedTypes.ALL);
    }

    private static List<OutgoingMessage> all() {
        List<OutgoingMessage> all = announced();
        all.add(AnomalyNoticesTest.MESSAGE);
        all.add(AnomalyNoticesTest.OF_A_HOLD);
        all.add(PublishedOrderRequests.message(PublishedOrderRequestsTest.ORDER));
        return all;
    }

    /** By journals; the others come from elsewhere. */
    private static List<OutgoingMessage> announced() {
        List<OutgoingMessage> all = new ArrayList<>();
        var reservations = new ReservationMessagesTest();
        reservations.no_kind_of_event_is_left_out_above();
        reservations.lives().forEach(life -> all.addAll(life.everything()));
        var pools = new PoolMessagesTest();
        pools.no_kind_of_event_is_left_out_above();
        pools.lives().forEach(life -> all.addAll(life.everything()));
        all.addAll(OrderMessagesTest.all());
        all.addAll(CompensationMessagesTest.all());
        return all;
    }
}
