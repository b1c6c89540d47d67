package io.holdfast.chaos;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** Buyers at work, each by a seed of its own, until they are told to stop; each then ends the purchase it is at. */
final class Workload {

    private static final int LONGEST_REST_MILLIS = 400;

    private final SplittableRandom seeds;
    private final List<Thread> buyers = new ArrayList<>();
    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean over;

    Workload(long seed) {
        this.seeds = new SplittableRandom(seed);
    }

    private interface Purchase {
        void buy() throws InterruptedException;
    }

    /** Opens the first pools and lets so many buyers of dishes, and of a sale, in. */
    void begin(Fleet fleet, Shelf shelf, OrderNews news, URI provider, int ofDishes, int ofSale)
            throws InterruptedException {
        while (shelf.dish().isEmpty() || shelf.sku().isEmpty()) {
            shelf.nextDish("");
            shelf.nextSku("");
        }
        for (int i = 0; i < ofDishes; i++) {
            begin(new DishBuyer(fleet, shelf, news, seeds.split(), "d" + i)::buy);
        }
        for (int i = 0; i < ofSale; i++) {
            begin(new SaleBuyer(fleet, shelf, provider, seeds.split(), "s" + i)::buy);
        }
    }

    private void begin(Purchase purchase) {
        SplittableRandom chance = seeds.split();
        buyers.add(Thread.ofVirtual().name("buyer").start(() -> {
            try {
                while (!over) {
                    purchase.buy();
                    TimeUnit.MILLISECONDS.sleep(chance.nextInt(LONGEST_REST_MILLIS));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException | Error e) {
                failures.add(e);
            }
        }));
    }

    /** Nobody begins anything new; returns when everybody is done. */
    void end() throws InterruptedException {
        over = true;
        for (Thread buyer : buyers) {
            buyer.join();
        }
    }

    /** What went wrong in the buyers themselves, which is a fault of this program. */
    List<Throwable> failures() {
        return List.copyOf(failures);
    }
}
