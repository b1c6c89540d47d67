package io.holdfast.messaging.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.messaging.event.Announcement.OrderWanted;
import io.holdfast.reservation.domain.OrderCreateRequested;
import java.time.Instant;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests for orders, as the built-in order service reads them. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class RequestReadingTest {

    private static final String ID = "8ced73660b864d5b8352084950e45ef7";
    private static final String GOOD = """
        {'schema_version':1,'message_id':'m-1','reservation_id':'%s','request_id':'q-1','activity':'spring','sku':'phone','user_id':'ann','quantity':2,'reserved_at':'2026-11-29T10:00:00.123Z','business_deadline':'2026-11-29T10:05:00.123Z'}\
        """.formatted(ID);

    private final EventReader reader = Events.reader();

    @Test
    void it_says_what_is_asked_for_and_is_its_own_cause() {
        OrderWanted wanted = wanted(GOOD);
        assertThat(wanted.request())
                .isEqualTo(new OrderCreateRequested(
                        "m-1",
                        ID,
                        "q-1",
                        "spring",
                        "phone",
                        "ann",
                        2,
                        Instant.parse("2026-11-29T10:00:00.123Z"),
                        Instant.parse("2026-11-29T10:05:00.123Z")));
        assertThat(wanted.key()).isEqualTo(ID);
        assertThat(wanted.cause().id()).endsWith(" m-1");
    }

    @Test
    void what_says_the_same_has_the_same_hash_and_what_does_not_has_another() {
        String hash = wanted(GOOD).cause().hash();
        assertThat(wanted(GOOD.replace("'quantity':2", "'shade':'red', 'quantity':2"))
                        .cause()
                        .hash())
                .isEqualTo(hash);
        assertThat(wanted(GOOD.replace("'quantity':2", "'quantity':3")).cause().hash())
                .isNotEqualTo(hash);
        assertThat(wanted(GOOD.replace("'ann'", "'bob'")).cause().hash()).isNotEqualTo(hash);
        assertThat(wanted(GOOD.replace("10:05", "10:06")).cause().hash()).isNotEqualTo(hash);
    }

    @ParameterizedTest(name = "{1} for {0}")
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        'message_id':'m-1'        | 'message_id':'m-2'         | message_id
        'message_id':'m-1',       |                            | message_id
        8ced73660b864d5b8352084950e45ef7 | r-1                 | reservation_id
        10:05:00.123Z             | 10:00:00.123Z              | business_deadline
        10:05:00.123Z             | noon                       | business_deadline
        'schema_version':1        | 'schema_version':2         | schema_version
        'quantity':2              | 'quantity':0               | quantity
        """)
    void what_cannot_be_is_poison_and_says_which_field(String good, String bad, String field) {
        Reading reading = reader.read(Events.raw(
                Channel.ORDER_REQUESTS,
                Events.headers(OrderCreateRequested.TYPE, "m-1"),
                GOOD.replace(good, bad == null ? "" : bad)));
        assertThat(reading).isInstanceOfSatisfying(Reading.Poison.class, poison -> {
            assertThat(poison.reason()).isEqualTo(PoisonReason.INVALID_DATA);
            assertThat(poison.detail()).contains(field);
        });
    }

    @Test
    void it_is_not_read_from_another_topic_nor_another_event_from_its_own() {
        assertThat(reader.read(Events.raw(Channel.ORDERS, Events.headers(OrderCreateRequested.TYPE, "m-1"), GOOD)))
                .isInstanceOf(Reading.Poison.class);
        assertThat(reader.read(Events.raw(
                        Channel.ORDER_REQUESTS, Events.headers("OrderCreated", "m-1"), "{'order_id':'o-1'}")))
                .isInstanceOf(Reading.Poison.class);
    }

    private OrderWanted wanted(String data) {
        Reading reading =
                reader.read(Events.raw(Channel.ORDER_REQUESTS, Events.headers(OrderCreateRequested.TYPE, "m-1"), data));
        assertThat(reading).isInstanceOf(Reading.Understood.class);
        return (OrderWanted) ((Reading.Understood) reading).announcement();
    }
}
