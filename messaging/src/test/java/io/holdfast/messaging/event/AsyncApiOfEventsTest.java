package io.holdfast.messaging.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.messaging.AsyncApi;
import io.holdfast.reservation.domain.ReservationIds;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the AsyncAPI document promises to take is taken, and what it does not is not. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class AsyncApiOfEventsTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SOUP = ReservationIds.journalFirst("m-1", "soup", "i-1");

    private final AsyncApi document = AsyncApi.load();
    private final EventReader reader = Events.reader();

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', textBlock = """
        OrderCreated        | {'order_id':'o-1'}
        OrderCreated        | {'order_id':'o-1','lines':[{'merchant':'m-1','dish':'soup','order_item_id':'i-1','quantity':2}],'price':1.5}
        OrderCreated        | {'order_id':'o-1','lines':[{'reservation_id':'%1$s'}]}
        OrderCreated        | {'order_id':'o-1','inventory_reservation_ids':['%1$s']}
        OrderCreatedFailed  | {'order_id':'o-1','reason':'card declined'}
        OrderCanceled       | {'order_id':'o-1','reason':'buyer'}
        RefundRequested     | {'order_id':'o-1','refund_id':'r-1'}
        RefundRequested     | {'order_id':'o-1','refund_id':'r-1','restock':false,'lines':[{'reservation_id':'%1$s','quantity':1}]}
        InventoryConfirmDue | {'reservation_id':'%1$s','processing_time':'2026-07-25T12:00:00Z'}
        InventoryConfirmDue | {'merchant':'m-1','dish':'soup','order_item_id':'i-1'}
        OrderCreateRequested | {'schema_version':1,'message_id':'e-1','reservation_id':'%1$s','request_id':'q-1','activity':'spring','sku':'phone','user_id':'ann','quantity':1,'reserved_at':'2026-11-29T10:00:00Z','business_deadline':'2026-11-29T10:05:00Z'}
        """)
    void is_documented_and_understood(String type, String data) throws Exception {
        RawEvent raw = event(type, data.formatted(SOUP));
        assertThat(document.payloadFaults(type, JSON.readTree(raw.data()))).isEmpty();
        if (raw.channel() != Channel.ORDER_REQUESTS) {
            // A request is documented as we send it, with more headers than are needed to read it.
            assertThat(document.headerFaults(type, raw.headers())).isEmpty();
        }
        assertThat(reader.read(raw)).isInstanceOf(Reading.Understood.class);
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', textBlock = """
        OrderCreated        | {}
        OrderCreated        | {'order_id':7}
        OrderCreated        | {'order_id':'o 1'}
        OrderCreated        | {'order_id':'o-1','lines':[]}
        OrderCreated        | {'order_id':'o-1','lines':[{'merchant':'m-1'}]}
        OrderCreated        | {'order_id':'o-1','lines':[{'reservation_id':'%1$s','quantity':0}]}
        OrderCreated        | {'order_id':'o-1','lines':[{'reservation_id':'%1$s','quantity':1.5}]}
        OrderCreated        | {'order_id':'o-1','inventory_reservation_ids':['soup']}
        RefundRequested     | {'order_id':'o-1'}
        RefundRequested     | {'order_id':'o-1','refund_id':'r-1','restock':'no'}
        InventoryConfirmDue | {}
        OrderCreateRequested | {'schema_version':2,'message_id':'e-1','reservation_id':'%1$s','request_id':'q-1','activity':'spring','sku':'phone','user_id':'ann','quantity':1,'reserved_at':'2026-11-29T10:00:00Z','business_deadline':'2026-11-29T10:05:00Z'}
        OrderCreateRequested | {'schema_version':1,'message_id':'e-1','reservation_id':'r-1','request_id':'q-1','activity':'spring','sku':'phone','user_id':'ann','quantity':1,'reserved_at':'2026-11-29T10:00:00Z','business_deadline':'2026-11-29T10:05:00Z'}
        OrderCreateRequested | {'schema_version':1,'message_id':'e-1','reservation_id':'%1$s','request_id':'q-1','activity':'spring','sku':'phone','user_id':'ann','quantity':0,'reserved_at':'2026-11-29T10:00:00Z','business_deadline':'2026-11-29T10:05:00Z'}
        """)
    void is_neither_documented_nor_understood(String type, String data) throws Exception {
        RawEvent raw = event(type, data.formatted(SOUP));
        assertThat(document.payloadFaults(type, JSON.readTree(raw.data()))).isNotEmpty();
        assertThat(reader.read(raw)).isInstanceOf(Reading.Poison.class);
    }

    @Test
    void the_documented_types_are_the_known_ones() {
        for (Channel channel : Channel.values()) {
            assertThat(document.messagesOf(Events.topic(channel)))
                    .containsExactlyInAnyOrderElementsOf(EventType.of(channel).stream()
                            .map(EventType::wireName)
                            .toList());
        }
    }

    @Test
    void the_documented_reasons_of_dead_letters_are_the_known_ones() {
        var reasons = document.document().at("/components/schemas/DeadLetterHeaders/properties/hf_dlq_reason/enum");
        assertThat(JSON.convertValue(reasons, String[].class))
                .containsExactlyInAnyOrder(
                        Stream.of(PoisonReason.values()).map(Enum::name).toArray(String[]::new));
    }

    @Test
    void headers_that_lack_an_attribute_are_not_documented() {
        Map<String, String> headers = Events.headers("OrderCreated", "e-1");
        headers.remove("ce_source");
        assertThat(document.headerFaults("OrderCreated", headers)).isNotEmpty();
    }

    private static RawEvent event(String type, String data) {
        Channel channel = switch (type) {
            case "InventoryConfirmDue" -> Channel.SCHEDULE;
            case "OrderCreateRequested" -> Channel.ORDER_REQUESTS;
            default -> Channel.ORDERS;
        };
        return Events.raw(channel, Events.headers(type, "e-1"), data);
    }
}
