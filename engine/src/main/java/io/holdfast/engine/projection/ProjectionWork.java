package io.holdfast.engine.projection;

import io.holdfast.engine.fleet.DividedWork;
import io.holdfast.engine.fleet.Pause;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The rounds of one worker: read what comes next of the shares held, handle it, and now and then see what was ordered and who is to be tried
 * again. Shares that stand at the same offset are read and moved as one; after a hand-over those behind are read first, until they have
 * come up to the others.
 */
final class ProjectionWork implements DividedWork {

    private static final Duration BETWEEN_CHORES = Duration.ofSeconds(1);

    private final Projection projection;
    private final JournalFeed feed;
    private final ProjectionSettings settings;
    private final Shares shares;
    private final Promise promise;
    private final OrderedWork ordered;
    private final ParkedRetries retries;

    /** Events read at a time: fewer after a failure, so that the other side gets on however slow it is. */
    private int portion;

    private boolean begunBefore;
    private boolean paused;
    private long choresAt;
    private Duration idle = Duration.ZERO;

    ProjectionWork(Projection projection, JournalFeed feed, ProjectionSettings settings, ProjectionListener listener) {
        this.projection = projection;
        this.feed = feed;
        this.settings = settings;
        this.portion = settings.batchRows();
        this.shares = new Shares(projection.name(), settings, listener);
        this.promise = switch (projection) {
            case ProjectionHandler handler -> new ExactlyOnce(handler, shares, settings);
            case DeliveryHandler handler -> new AtLeastOnce(handler, shares, settings);
        };
        this.ordered = new OrderedWork(promise, shares);
        this.retries = new ParkedRetries(promise, shares, settings.batchRows());
    }

    @Override
    public String name() {
        return "projection " + projection.name();
    }

    @Override
    public SortedSet<Integer> units() {
        return IntStream.range(0, Slices.SHARES).boxed().collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    public void begin(Connection connection) throws SQLException {
        if (!begunBefore) {
            HiddenFailure.refuse(connection);
        }
        JournalOrigin.check(connection);
        register(connection);
        shares.offsets().create(connection);
        commitWithoutWaiting(connection);
    }

    /**
     * From here on the disk is not waited for. A server that dies may lose the latest commits, always the latest: what was written and the
     * offset were one commit and go together, and the journal, whose writers do wait, still has what they were made from. Whoever commits
     * and waits after having seen what was written makes that durable as well, because it lies before theirs in the server's log.
     */
    private static void commitWithoutWaiting(Connection connection) throws SQLException {
        try (Statement s = connection.createStatement()) {
            s.execute("set synchronous_commit = off");
        }
    }

    private void register(Connection connection) throws SQLException {
        boolean exactlyOnce = projection instanceof ProjectionHandler;
        boolean takesAgain = !(projection instanceof ProjectionHandler handler) || handler.takesAgain();
        try (PreparedStatement s = connection.prepareStatement("insert into projection as p (name, delivery,"
                + " takes_again) values (?, ?, ?) on conflict (name) do update set delivery = excluded.delivery,"
                + " takes_again = excluded.takes_again where (p.delivery, p.takes_again) <> (excluded.delivery,"
                + " excluded.takes_again)")) {
            s.setString(1, projection.name());
            s.setString(2, exactlyOnce ? "EXACTLY_ONCE" : "AT_LEAST_ONCE");
            s.setBoolean(3, takesAgain);
            s.executeUpdate();
        }
    }

    @Override
    public void hold(Connection connection, SortedSet<Integer> held) throws SQLException {
        List<Slices> slices = Slices.ofShares(held);
        if (!begunBefore) {
            for (Slices range : slices) {
                shares.parkedTable().allDue(connection, range);
            }
            begunBefore = !held.isEmpty();
        }
        shares.load(connection, held);
        idle = Duration.ZERO;
        choresAt = System.nanoTime();
        shares.listener().holds(projection.name(), slices);
    }

    @Override
    public Pause round(Connection connection) throws SQLException {
        long began = System.nanoTime();
        if (began - choresAt >= 0) {
            choresAt = began + BETWEEN_CHORES.toNanos();
            StandingOrders orders = StandingOrders.read(connection, projection.name());
            paused = orders.paused();
            ordered.obey(connection, orders);
            if (!paused) {
                retries.retry(connection);
            }
        }
        if (paused) {
            return Pause.of(settings.pollLongest());
        }
        Pause pause = handleNext(connection, began, portion);
        portion = (int) Math.min(settings.batchRows(), 2L * portion);
        return pause;
    }

    private Pause handleNext(Connection connection, long began, int most) throws SQLException {
        Group group = shares.offsets().lowest();
        List<JournalRow> rows = feed.next(connection, group, most);
        if (rows.size() == most) {
            promise.advance(connection, group, rows, Offset.of(rows.getLast()));
            return Pause.NONE;
        }
        if (group.upTo().isPresent()) { // with the rest of what lay between, they have come up to the next
            promise.advance(connection, group, rows, group.upTo().get());
            return Pause.NONE;
        }
        if (rows.isEmpty()) {
            Duration longer = idle.multipliedBy(2).plusMillis(1);
            idle = longer.compareTo(settings.pollLongest()) < 0 ? longer : settings.pollLongest();
        } else {
            promise.advance(connection, group, rows, Offset.of(rows.getLast()));
            idle = Duration.ZERO;
        }
        Duration least = settings.rest(Duration.ofNanos(System.nanoTime() - began), rows.size());
        return new Pause(least, idle.compareTo(least) < 0 ? least : idle);
    }

    @Override
    public void failed(Throwable failure) {
        portion = Math.max(1, portion / 2);
        shares.listener().failed(projection.name(), failure);
    }
}
