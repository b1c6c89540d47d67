package io.holdfast.messaging.follow;

import static io.holdfast.messaging.follow.MemoryJournal.idOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.engine.fleet.Bell;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(180)
class JournalFollowersTest {

    private static final Interest ALL = new Interest.Everybody(_ -> true, true);
    private static final Duration LONG = Duration.ofSeconds(30);

    private final MemoryJournal journal = new MemoryJournal();
    private final Bell bell = new Bell();
    private final List<JournalFollowers> open = new ArrayList<>();

    private JournalFollowers followers(int most, int page, int window) {
        return followers(most, page, window, Duration.ofMillis(5));
    }

    private JournalFollowers followers(int most, int page, int window, Duration poll) {
        var followers = new JournalFollowers(
                journal,
                journal.messages(),
                journal.messages(),
                bell,
                new FollowSettings(most, page, 7, window, poll, LONG));
        open.add(followers);
        followers.start();
        return followers;
    }

    @AfterEach
    void close() {
        open.forEach(JournalFollowers::close);
    }

    private static Portion next(Following following, Duration patience) {
        try {
            return following.next(patience).toCompletableFuture().get(30, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static String shown(Told told) {
        return switch (told) {
            case Told.Announcement(var _, var message) ->
                message.type() + " " + message.data().get("order_item_id");
            case Told.Unreadable(var _, var _, long sequence) -> "unreadable " + sequence;
        };
    }

    /** All there is up to the end of the journal. */
    private static List<Told> rest(Following following) {
        List<Told> all = new ArrayList<>();
        while (true) {
            Portion portion = next(following, Duration.ZERO);
            all.addAll(portion.told());
            if (portion.told().isEmpty() || portion.atRest()) {
                return all;
            }
        }
    }

    @Test
    void a_new_follower_is_told_what_comes_after_it_asked_and_nothing_before() {
        journal.hold("a");
        Following following =
                followers(1, 100, 100).follow(ALL, Optional.empty()).orElseThrow();
        assertThat(next(following, Duration.ZERO).told()).isEmpty();
        journal.hold("b");
        bell.ring();
        assertThat(next(following, LONG).told())
                .extracting(JournalFollowersTest::shown)
                .containsExactly("InventoryRedisReserved b", "InventoryReserved b");
    }

    @Test
    void from_every_place_a_follower_goes_on_with_exactly_what_is_behind_it() {
        for (int i = 0; i < 9; i++) {
            journal.hold("i" + i);
        }
        for (int page : List.of(1, 3, 100)) {
            JournalFollowers followers = followers(100, page, 4);
            List<Told> all =
                    rest(followers.follow(ALL, Optional.of(Place.START)).orElseThrow());
            assertThat(all).hasSize(18);
            for (int i = 0; i < all.size(); i++) {
                Place place = Place.parse(all.get(i).place().text()).orElseThrow();
                assertThat(rest(followers.follow(ALL, Optional.of(place)).orElseThrow()))
                        .as("page %s, after %s", page, place)
                        .isEqualTo(all.subList(i + 1, all.size()));
            }
        }
    }

    @Test
    void a_follower_that_takes_its_time_misses_nothing_wherever_the_window_has_got_to() throws Exception {
        JournalFollowers followers = followers(3, 2, 3);
        Following quick = followers.follow(ALL, Optional.empty()).orElseThrow();
        Following slow = followers.follow(ALL, Optional.empty()).orElseThrow();
        Following one = followers
                .follow(new Interest.Entity(idOf("i7")), Optional.of(Place.START))
                .orElseThrow();
        List.of(quick, slow).forEach(each -> next(each, Duration.ZERO));
        CompletableFuture<List<String>> ofOne = CompletableFuture.supplyAsync(() -> {
            List<String> told = new ArrayList<>();
            Portion portion;
            do {
                portion = next(one, LONG);
                portion.told().forEach(each -> told.add(shown(each)));
            } while (!portion.atRest());
            return told;
        });
        List<String> quickly = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            journal.hold("i" + i).confirm("i" + i);
            bell.ring();
            next(quick, LONG).told().forEach(each -> quickly.add(shown(each)));
        }
        rest(quick).forEach(each -> quickly.add(shown(each)));
        assertThat(quickly).hasSize(80).doesNotHaveDuplicates();
        assertThat(rest(slow)).extracting(JournalFollowersTest::shown).isEqualTo(quickly);
        assertThat(ofOne.get(30, TimeUnit.SECONDS))
                .containsExactly(
                        "InventoryRedisReserved i7",
                        "InventoryReserved i7",
                        "InventoryRedisConfirmed i7",
                        "InventoryConfirmed i7");
    }

    @Test
    void one_reservation_is_told_from_its_beginning_until_it_rests() {
        journal.hold("a").hold("b");
        JournalFollowers followers = followers(2, 100, 100);
        Following following = followers
                .follow(new Interest.Entity(idOf("a")), Optional.empty())
                .orElseThrow();
        Portion held = next(following, LONG);
        assertThat(held.told())
                .extracting(JournalFollowersTest::shown)
                .containsExactly("InventoryRedisReserved a", "InventoryReserved a");
        assertThat(held.atRest()).isFalse();
        journal.confirm("b").confirm("a");
        Portion confirmed = next(following, LONG);
        assertThat(confirmed.told())
                .extracting(JournalFollowersTest::shown)
                .containsExactly("InventoryRedisConfirmed a", "InventoryConfirmed a");
        assertThat(confirmed.atRest()).isTrue();

        // Whoever comes back with the last place is told at once that nothing will come, wherever the reservation has
        // ended.
        Portion again = next(
                followers
                        .follow(
                                new Interest.Entity(idOf("a")),
                                Optional.of(confirmed.told().getLast().place()))
                        .orElseThrow(),
                Duration.ZERO);
        assertThat(again.told()).isEmpty();
        assertThat(again.atRest()).isTrue();
    }

    @Test
    void many_followers_at_the_end_cost_one_read_of_it() {
        JournalFollowers followers = followers(200, 100, 1000, Duration.ofMinutes(1));
        List<Following> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            Following following = followers.follow(ALL, Optional.empty()).orElseThrow();
            next(following, Duration.ZERO);
            all.add(following);
        }
        int before = journal.readsOfAll.get();
        List<CompletableFuture<Portion>> waiting =
                all.stream().map(each -> each.next(LONG).toCompletableFuture()).toList();
        journal.hold("a");
        bell.ring();
        waiting.forEach(each -> assertThat(each.join().told()).hasSize(2));
        assertThat(journal.readsOfAll.get() - before)
                .as("a page for each would be two hundred")
                .isLessThan(5);
    }

    @Test
    void a_filter_decides_what_is_told_and_never_how_far_one_has_come() {
        JournalFollowers followers = followers(1, 100, 100);
        Following following = followers
                .follow(
                        new Interest.Everybody(m -> m.type().equals("InventoryReserved"), false),
                        Optional.of(Place.START))
                .orElseThrow();
        journal.hold("a");
        Portion first = next(following, LONG);
        assertThat(first.told()).extracting(JournalFollowersTest::shown).containsExactly("InventoryReserved a");
        journal.confirm("a");
        Portion nothing = next(following, Duration.ofMillis(300));
        assertThat(nothing.told()).isEmpty();
        assertThat(nothing.reached()).isGreaterThan(first.reached());
    }

    @Test
    void an_entry_that_can_not_be_read_is_told_as_such_and_holds_up_nobody() {
        JournalFollowers followers = followers(1, 100, 100);
        Following following = followers.follow(ALL, Optional.of(Place.START)).orElseThrow();
        journal.hold("a").broken("a").hold("b");
        assertThat(rest(following))
                .extracting(JournalFollowersTest::shown)
                .containsExactly(
                        "InventoryRedisReserved a",
                        "InventoryReserved a",
                        "unreadable 3",
                        "InventoryRedisReserved b",
                        "InventoryReserved b");
    }

    @Test
    void a_place_of_another_journal_is_refused() {
        JournalFollowers followers = followers(1, 100, 100);
        Following following = followers
                .follow(ALL, Optional.of(Place.parse("99999-1").orElseThrow()))
                .orElseThrow();
        assertThatThrownBy(() -> next(following, LONG)).hasRootCauseInstanceOf(UnknownPlace.class);
    }

    @Test
    void a_database_that_is_away_is_waited_for() {
        journal.hold("a");
        journal.away = true;
        JournalFollowers followers = followers(1, 100, 100);
        Following following = followers.follow(ALL, Optional.of(Place.START)).orElseThrow();
        CompletableFuture<Portion> waiting = following.next(Duration.ZERO).toCompletableFuture();
        await().until(() -> followers.following() == 1);
        assertThat(waiting).isNotDone();
        journal.away = false;
        assertThat(waiting.join().told()).hasSize(2);
    }

    @Test
    void no_more_follow_than_may_and_whoever_leaves_makes_room() {
        JournalFollowers followers = followers(1, 100, 100);
        Following first = followers.follow(ALL, Optional.empty()).orElseThrow();
        CompletableFuture<Portion> waiting = first.next(LONG).toCompletableFuture();
        assertThat(followers.follow(ALL, Optional.empty())).isEmpty();
        first.close();
        first.close();
        assertThat(waiting).failsWithin(30, TimeUnit.SECONDS);
        assertThat(followers.following()).isZero();
        assertThat(followers.follow(ALL, Optional.empty())).isPresent();
        assertThat(followers.follow(ALL, Optional.empty())).isEmpty();
    }

    @Test
    void whoever_asks_for_nothing_any_more_is_forgotten() {
        var followers = new JournalFollowers(
                journal,
                journal.messages(),
                journal.messages(),
                bell,
                new FollowSettings(1, 100, 100, 100, Duration.ofMillis(5), Duration.ofMillis(50)));
        open.add(followers);
        followers.start();
        next(followers.follow(ALL, Optional.empty()).orElseThrow(), Duration.ZERO);
        await().until(() -> followers.following() == 0);
    }

    @Test
    void a_place_is_its_text_and_other_text_is_none() {
        for (String text : List.of("0-0", "748-1021", "748-1021-1")) {
            assertThat(Place.parse(text).orElseThrow().text()).isEqualTo(text);
        }
        for (String text : List.of("", "748", "748-", "-1-2", "1-2-3-4", "9999999999999999999-1", "1-2-99999", "a-b")) {
            assertThat(Place.parse(text)).as(text).isEmpty();
        }
    }
}
