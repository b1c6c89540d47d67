package io.holdfast.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import io.holdfast.engine.journal.jdbc.GroupCommitJournalDao;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ActorSystemConfigTest {

    private static Config of(Map<String, String> changes) {
        return ActorSystemConfig.of(TestSettings.with(changes));
    }

    @Test
    void the_journal_is_our_own_behind_a_breaker_that_never_opens_unless_the_stock_one_is_asked_for() {
        Config own = of(Map.of());
        assertThat(own.getString("pekko.persistence.journal.plugin")).isEqualTo("jdbc-journal");
        assertThat(own.getString("jdbc-journal.dao")).isEqualTo(GroupCommitJournalDao.class.getName());
        assertThat(own.getInt("jdbc-journal.circuit-breaker.max-failures")).isEqualTo(Integer.MAX_VALUE);

        Config stock =
                of(Map.of("HOLDFAST_POSTGRES_JOURNAL_DAO", "stock", "HOLDFAST_POSTGRES_JOURNAL_CONNECTIONS", "7"));
        assertThat(stock.getString("jdbc-journal.dao"))
                .isEqualTo("org.apache.pekko.persistence.jdbc.journal.dao.DefaultJournalDao");
        assertThat(stock.getInt("jdbc-journal.slick.db.maxConnections")).isEqualTo(7);
        assertThat(stock.getString("jdbc-journal.tables.event_journal.tableName"))
                .as("one table for both")
                .isEqualTo(own.getString("jdbc-journal.tables.event_journal.tableName"));
    }

    @Test
    void every_session_of_the_journal_bounds_how_long_a_transaction_holds_up_projections() {
        assertThat(of(Map.of("HOLDFAST_POSTGRES_TRANSACTION_TIMEOUT", "17s"))
                        .getString("jdbc-journal.slick.db.properties.options"))
                .contains("-c transaction_timeout=17000", "-c idle_in_transaction_session_timeout=17000");
    }
}
