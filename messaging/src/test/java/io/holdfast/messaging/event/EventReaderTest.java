package io.holdfast.messaging.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.engine.machine.Cause;
import io.holdfast.messaging.event.Announcement.Due;
import io.holdfast.messaging.event.Announcement.OfOrder;
import io.holdfast.messaging.event.Announcement.Told;
import io.holdfast.reservation.domain.Fact;
import io.holdfast.reservation.domain.ReservationIds;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class EventReaderTest {

    private static final String SOUP = ReservationIds.journalFirst("m-1", "soup", "i-1");
    private static final String RICE = ReservationIds.journalFirst("m-1", "rice", "i-2");
    private static final String LINES = "'lines':[{'merchant':'m-1','dish':'soup','order_item_id':'i-1','quantity':2},"
            + "{'merchant':'m-1','dish':'rice','order_item_id':'i-2'}]";

    private final EventReader reader = Events.reader();

    // ---- what it says

    @Test
    void an_order_created_by_lines_tells_each_reservation_its_quantity() {
        OfOrder news = order("OrderCreated", "{'order_id':'o-1'," + LINES + "}");
        assertThat(news.key()).isEqualTo("o-1");
        assertThat(news.told())
                .containsExactlyInAnyOrder(
                        new Told(SOUP, new Fact.OrderCreated("o-1", OptionalLong.of(2))),
                        new Told(RICE, new Fact.OrderCreated("o-1", OptionalLong.empty())));
    }

    @Test
    void reservations_may_be_named_by_their_ids() {
        assertThat(order("OrderCreated", "{'order_id':'o-1','inventory_reservation_ids':['" + SOUP + "']}")
                        .told())
                .containsExactly(new Told(SOUP, Fact.OrderCreated.whole("o-1")));
        assertThat(order("OrderCreated", "{'order_id':'o-1','lines':[{'reservation_id':'" + SOUP + "'}]}")
                        .told())
                .containsExactly(new Told(SOUP, Fact.OrderCreated.whole("o-1")));
    }

    @Test
    void an_event_that_names_nobody_is_for_the_whole_order() {
        OfOrder failed = order("OrderCreatedFailed", "{'order_id':'o-1','reason':'card declined'}");
        assertThat(failed.told()).isEmpty();
        assertThat(failed.toAll()).isEqualTo(new Fact.OrderCreatedFailed("o-1", "card declined"));
        assertThat(order("OrderCanceled", "{'order_id':'o-1'}").toAll())
                .isEqualTo(new Fact.OrderCanceled(Optional.of("o-1"), "no reason given"));
        assertThat(order("RefundRequested", "{'order_id':'o-1','refund_id':'r-1'}")
                        .toAll())
                .isEqualTo(new Fact.OrderCanceled(Optional.of("o-1"), "refund r-1 of everything left"));
    }

    @Test
    void a_refund_counts_units_per_line_and_may_leave_them_sold() {
        assertThat(order(
                                "RefundRequested",
                                "{'order_id':'o-1','refund_id':'r-1','restock':false," + "'lines':[{'reservation_id':'"
                                        + SOUP + "','quantity':1}]}")
                        .told())
                .containsExactly(new Told(SOUP, new Fact.RefundRequested(Optional.of("o-1"), "r-1", 1, false)));
        assertThat(order(
                                "RefundRequested",
                                "{'order_id':'o-1','refund_id':'r-1','lines':[{'reservation_id':'" + SOUP + "'}]}")
                        .told())
                .containsExactly(
                        new Told(SOUP, new Fact.OrderCanceled(Optional.of("o-1"), "refund r-1 of everything left")));
    }

    @Test
    void a_hint_is_about_one_reservation() {
        Reading reading = reader.read(Events.raw(
                Channel.SCHEDULE,
                Events.headers("InventoryConfirmDue", "e-1"),
                "{'merchant':'m-1','dish':'soup','order_item_id':'i-1','processing_time':'2026-07-25T12:00:00Z'}"));
        Due due = (Due) ((Reading.Understood) reading).announcement();
        assertThat(due.reservationId()).isEqualTo(SOUP);
        assertThat(due.key()).isEqualTo(SOUP);
    }

    @Test
    void a_reason_is_made_fit_for_a_journal() {
        OfOrder failed =
                order("OrderCreatedFailed", "{'order_id':'o-1','reason':'a\\u0000b\\n" + "x".repeat(400) + "'}");
        assertThat(((Fact.OrderCreatedFailed) failed.toAll()).reason())
                .startsWith("a b xxx")
                .hasSize(256);
    }

    // ---- identity and content

    @Test
    void its_cause_is_source_and_id_with_kind_topic_and_trace() {
        Map<String, String> headers = Events.headers("OrderCanceled", "e-1");
        headers.put("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
        Reading reading = reader.read(Events.raw(Channel.ORDERS, headers, "{'order_id':'o-1'}"));
        Cause cause = ((Reading.Understood) reading).announcement().cause();
        assertThat(cause.id()).isEqualTo("/orders e-1");
        assertThat(cause.kind()).isEqualTo(Cause.Kind.EVENT);
        assertThat(cause.actor()).isEqualTo("order.lifecycle.v1");
        assertThat(cause.traceId()).contains("0af7651916cd43dd8448eb211c80319c");
        assertThat(cause.hash()).hasSize(64);
    }

    @Test
    void a_trace_that_is_none_is_left_out() {
        Map<String, String> headers = Events.headers("OrderCanceled", "e-1");
        headers.put("traceparent", "00-00000000000000000000000000000000-b7ad6b7169203331-01");
        Reading reading = reader.read(Events.raw(Channel.ORDERS, headers, "{'order_id':'o-1'}"));
        assertThat(((Reading.Understood) reading).announcement().cause().traceId())
                .isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        order of fields      | {'inventory_reservation_ids':['%1$s'],'order_id':'o-1'}
        blanks               | {  'order_id' : 'o-1' , 'inventory_reservation_ids' : [ '%1$s' ] }
        fields for others    | {'order_id':'o-1','inventory_reservation_ids':['%1$s'],'price':12.5,'tags':[[1],{'a':null}]}
        another way to name  | {'order_id':'o-1','lines':[{'merchant':'m-1','dish':'soup','order_item_id':'i-1'}]}
        """)
    void is_the_same_content_in_spite_of(String what, String data) {
        String plain = "{'order_id':'o-1','inventory_reservation_ids':['" + SOUP + "']}";
        assertThat(hash("OrderCreated", data.formatted(SOUP))).as(what).isEqualTo(hash("OrderCreated", plain));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        another order        | {'order_id':'o-2','inventory_reservation_ids':['%1$s']}
        another reservation  | {'order_id':'o-1','inventory_reservation_ids':['%2$s']}
        one more             | {'order_id':'o-1','inventory_reservation_ids':['%1$s','%2$s']}
        a quantity           | {'order_id':'o-1','lines':[{'reservation_id':'%1$s','quantity':1}]}
        nobody named         | {'order_id':'o-1'}
        a reason             | {'order_id':'o-1','inventory_reservation_ids':['%1$s'],'reason':'x'}
        """)
    void is_other_content_with(String what, String data) {
        String plain = "{'order_id':'o-1','inventory_reservation_ids':['" + SOUP + "']}";
        assertThat(hash("OrderCreated", data.formatted(SOUP, RICE))).as(what).isNotEqualTo(hash("OrderCreated", plain));
    }

    @Test
    void the_same_data_of_another_type_is_other_content() {
        assertThat(hash("OrderCanceled", "{'order_id':'o-1'}"))
                .isNotEqualTo(hash("OrderCreatedFailed", "{'order_id':'o-1'}"));
    }

    @Test
    void the_hash_of_a_known_event_never_changes() {
        assertThat(hash("OrderCreated", "{'order_id':'o-1'," + LINES + "}"))
                .isEqualTo("40fc54ac7a07ce9d1f042f62bc106662ef565cfe8974c69d5299fa2fcb4b0efd");
    }

    // ---- what can't be understood

    @Test
    void types_for_others_are_ignored() {
        assertThat(reader.read(Events.order("OrderPaid", "e-1", "whatever")))
                .isEqualTo(new Reading.Ignored("OrderPaid"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
        no id                    | ce_id           |                        | NOT_A_CLOUD_EVENT
        a blank id               | ce_id           | ' '                    | NOT_A_CLOUD_EVENT
        a control character      | ce_id           | a\tb                   | NOT_A_CLOUD_EVENT
        no source                | ce_source       |                        | NOT_A_CLOUD_EVENT
        a source that is no URI  | ce_source       | a b                    | NOT_A_CLOUD_EVENT
        no type                  | ce_type         |                        | NOT_A_CLOUD_EVENT
        no version               | ce_specversion  |                        | NOT_A_CLOUD_EVENT
        version 0.3              | ce_specversion  | 0.3                    | NOT_A_CLOUD_EVENT
        an unknown type          | ce_type         | OrderShipped           | UNKNOWN_TYPE
        a type of another topic  | ce_type         | InventoryConfirmDue    | UNKNOWN_TYPE
        a future schema version  | ce_schemaversion| 2                      | UNSUPPORTED_SCHEMA_VERSION
        no schema version        | ce_schemaversion| one                    | UNSUPPORTED_SCHEMA_VERSION
        structured mode          | content-type    | application/cloudevents+json | UNSUPPORTED_CONTENT_TYPE
        another format           | content-type    | application/avro       | UNSUPPORTED_CONTENT_TYPE
        """)
    void is_poison_by_its_attributes(String what, String header, String value, PoisonReason reason) {
        Map<String, String> headers = Events.headers("OrderCanceled", "e-1");
        if (value == null) {
            headers.remove(header);
        } else {
            headers.put(header, value.replace("'", ""));
        }
        assertThat(reader.read(Events.raw(Channel.ORDERS, headers, "{'order_id':'o-1'}")))
                .as(what)
                .isInstanceOfSatisfying(
                        Reading.Poison.class,
                        poison -> assertThat(poison.reason()).isEqualTo(reason));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "{'order_id':'o-1'} trailing",
                "['order_id']",
                "{'order_id':'o-1','order_id':'o-2'}",
                "\uFFFF",
                "{'a':{'b':{'c':{'d':{'e':{'f':{'g':{'h':{'i':{'j':{'k':{'l':{'m':{'n':{'o':{'p':{'q':{'r':{'s':{'t':{'u':{'v':"
                    + "{'w':{'x':{'y':{'z':{'1':{'2':{'3':{'4':{'5':{'6':{'7':1}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}",
            })
    void is_poison_because_it_is_no_json(String data) {
        assertThat(poison("OrderCanceled", data)).isEqualTo(PoisonReason.NOT_JSON);
    }

    @Test
    void bytes_that_are_no_text_are_poison() {
        var raw = new RawEvent(
                Channel.ORDERS, "t", 0, 0, Events.headers("OrderCanceled", "e-1"), new byte[] {(byte) 0xc3, 0x28});
        assertThat(reader.read(raw))
                .isInstanceOfSatisfying(
                        Reading.Poison.class,
                        poison -> assertThat(poison.reason()).isEqualTo(PoisonReason.NOT_JSON));
    }

    @Test
    void nothing_and_too_much_are_poison() {
        assertThat(poison("OrderCanceled", "")).isEqualTo(PoisonReason.NO_DATA);
        assertThat(poison("OrderCanceled", "{'order_id':'" + "o".repeat(5000) + "'}"))
                .isEqualTo(PoisonReason.TOO_LARGE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'order_id':7}",
                "{'order_id':'a b'}",
                "{'order_id':null}",
                "{'order_id':'o-1','lines':[]}",
                "{'order_id':'o-1','lines':{}}",
                "{'order_id':'o-1','lines':[7]}",
                "{'order_id':'o-1','lines':[{}]}",
                "{'order_id':'o-1','lines':[{'merchant':'m-1','dish':'soup'}]}",
                "{'order_id':'o-1','lines':[{'reservation_id':'soup'}]}",
                "{'order_id':'o-1','inventory_reservation_ids':['x']}",
                "{'order_id':'o-1','inventory_reservation_ids':[100123001]}",
            })
    void is_poison_because_of_its_data(String data) {
        assertThat(poison("OrderCreated", data)).isEqualTo(PoisonReason.INVALID_DATA);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-5", "0", "-0", "0.5", "1e0", "'3'", "null", "true", "1e400", "9007199254740992", "[]"})
    void a_quantity_is_a_positive_integer_and_nothing_else(String quantity) {
        assertThat(poison(
                        "OrderCreated",
                        "{'order_id':'o-1','lines':[{'reservation_id':'" + SOUP + "','quantity':" + quantity + "}]}"))
                .isEqualTo(PoisonReason.INVALID_DATA);
    }

    @Test
    void a_short_number_that_stands_for_a_huge_one_costs_nothing() {
        assertThat(poison(
                        "OrderCreated",
                        "{'order_id':'o-1','lines':[{'reservation_id':'" + SOUP + "','quantity':1e1000000000}]}"))
                .isEqualTo(PoisonReason.INVALID_DATA);
        assertThat(order("OrderCreated", "{'order_id':'o-1','price':1e1000000000}")
                        .orderId())
                .isEqualTo("o-1");
    }

    @Test
    void names_that_contradict_each_other_are_poison() {
        String line = "{'merchant':'m-1','dish':'soup','order_item_id':'i-1'}";
        assertThat(poison(
                        "OrderCreated",
                        "{'order_id':'o-1','lines':[" + line + "],'inventory_reservation_ids':['" + RICE + "']}"))
                .isEqualTo(PoisonReason.INVALID_DATA);
        assertThat(poison("OrderCreated", "{'order_id':'o-1','lines':[" + line + "," + line + "]}"))
                .isEqualTo(PoisonReason.INVALID_DATA);
        assertThat(poison(
                        "OrderCreated",
                        "{'order_id':'o-1','lines':[{'merchant':'m-1','dish':'soup','order_item_id':'i-1','reservation_id':'"
                                + RICE + "'}]}"))
                .isEqualTo(PoisonReason.INVALID_DATA);
    }

    @Test
    void a_refund_needs_an_id_and_units_that_stay_sold_are_counted() {
        assertThat(poison("RefundRequested", "{'order_id':'o-1'}")).isEqualTo(PoisonReason.INVALID_DATA);
        assertThat(poison("RefundRequested", "{'order_id':'o-1','refund_id':'order-canceled'}"))
                .isEqualTo(PoisonReason.INVALID_DATA);
        assertThat(poison("RefundRequested", "{'order_id':'o-1','refund_id':'r-1','restock':false}"))
                .isEqualTo(PoisonReason.INVALID_DATA);
    }

    // ----

    private OfOrder order(String type, String data) {
        Reading reading = reader.read(Events.order(type, "e-1", data));
        assertThat(reading).isInstanceOf(Reading.Understood.class);
        return (OfOrder) ((Reading.Understood) reading).announcement();
    }

    private String hash(String type, String data) {
        return order(type, data).cause().hash();
    }

    private PoisonReason poison(String type, String data) {
        Reading reading = reader.read(Events.order(type, "e-1", data));
        assertThat(reading).isInstanceOf(Reading.Poison.class);
        return ((Reading.Poison) reading).reason();
    }
}
