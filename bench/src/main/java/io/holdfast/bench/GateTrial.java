package io.holdfast.bench;

import io.holdfast.bench.check.Sums;
import io.holdfast.bench.load.ClosedLoop;
import io.holdfast.bench.load.Operation;
import io.holdfast.reservation.entity.AdmissionDesk.Answer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Users before the gate of a node in this JVM, and what they were told. */
public final class GateTrial {

    private static final Duration SHORTEST_WARM_UP = Duration.ofSeconds(30);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** Users who ask again and again. */
    public static final int REGULARS = 1000;

    private final Subject subject;
    private final SaleSet sales;
    private final Kind kind;
    private final AtomicLong numbers = new AtomicLong();

    /** What is asked for. */
    public enum Kind {
        /** Units that are there, each time by another user. */
        ADMIT,
        /** The same again, by users who were let in. */
        REPEAT,
        /** Units that are not there. */
        SOLD_OUT
    }

    /** Creates the sales it needs, and lets those in who will ask again. */
    public GateTrial(Subject subject, SaleSet sales, Kind kind) throws InterruptedException {
        this.subject = subject;
        this.sales = sales;
        this.kind = kind;
        subject.createSales(sales, kind == Kind.SOLD_OUT ? 0 : OurTrial.PLENTY);
        if (kind == Kind.REPEAT) {
            letIn(REGULARS);
        }
    }

    /** As one of those that take turns. */
    public Contender contender(String name, int outstanding) {
        Operation operation = switch (kind) {
            case ADMIT -> this::admitted;
            case REPEAT -> (number, ended) -> admitted(number % REGULARS, ended);
            case SOLD_OUT -> this::refused;
        };
        return new Contender(
                name, () -> new ClosedLoop(operation, outstanding, numbers), SHORTEST_WARM_UP, subject::lag);
    }

    /** What users were told, by pool, if every request ended as it should. */
    public Map<String, Sums.Told> told() {
        long letIn = switch (kind) {
            case ADMIT -> numbers.get();
            case REPEAT -> REGULARS;
            case SOLD_OUT -> 0;
        };
        Map<String, Sums.Told> told = new HashMap<>();
        for (int i = 0; i < sales.pools().size(); i++) {
            told.put(sales.pools().get(i).value(), new Sums.Told(sales.share(i, letIn), 0));
        }
        return told;
    }

    private void letIn(int users) throws InterruptedException {
        var all = new CountDownLatch(users);
        var off = new AtomicReference<@Nullable String>();
        for (int user = 0; user < users; user++) {
            admitted(user, new Operation.Ended() {
                @Override
                public void asWished() {
                    all.countDown();
                }

                @Override
                public void otherwise(String why) {
                    off.set(why);
                    all.countDown();
                }
            });
        }
        if (!all.await(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS) || off.get() != null) {
            throw new IllegalStateException("users could not be let in: " + off.get());
        }
    }

    private void admitted(long number, Operation.Ended ended) {
        ask(number, Answer.Queued.class, ended);
    }

    private void refused(long number, Operation.Ended ended) {
        ask(number, Answer.SoldOut.class, ended);
    }

    private void ask(long number, Class<? extends Answer> wanted, Operation.Ended ended) {
        ask(number, wanted, System.nanoTime() + PATIENCE.toNanos(), ended);
    }

    /** Who is told that nobody knows asks again under the same ids, as every user should; the time runs on. */
    private void ask(long number, Class<? extends Answer> wanted, long until, Operation.Ended ended) {
        var _ = subject.node().gate().admit(sales.wish(number), PATIENCE).whenComplete((answer, failure) -> {
            if (wanted.isInstance(answer)) {
                ended.asWished();
            } else if (answer instanceof Answer.Unsure && System.nanoTime() - until < 0) {
                ask(number, wanted, until, ended);
            } else {
                ended.otherwise(answer == null ? "failed: " + failure : kindOf(answer));
            }
        });
    }

    /** Without what is different each time. */
    private static String kindOf(Answer answer) {
        return answer instanceof Answer.HeldBack(var reason)
                ? "held back: " + reason
                : answer.getClass().getSimpleName();
    }
}
