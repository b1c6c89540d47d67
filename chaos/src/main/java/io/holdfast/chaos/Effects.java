package io.holdfast.chaos;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Nothing has its effect twice: operations, versions, units that go back, and money. */
final class Effects {

    private static final String CLAIM = "no double effect";

    private record Version(String pool, long epoch, long version) {}

    private Effects() {}

    static List<Violation> check(Picture picture) {
        List<Violation> found = new ArrayList<>();
        Map<Version, String> byVersion = new HashMap<>();
        Map<String, Picture.Move> byOperation = new HashMap<>();
        for (Picture.Move move : picture.moves()) {
            var version = new Version(move.pool(), move.epoch(), move.version());
            String other = byVersion.put(version, move.operation());
            if (other != null) {
                found.add(new Violation(CLAIM, version + " was made by " + other + " and by " + move.operation()));
            }
            Picture.Move before = byOperation.put(move.operation(), move);
            if (before != null) {
                found.add(new Violation(CLAIM, move.operation() + " moved the stock twice: " + before + ", " + move));
            }
        }
        picture.holds().forEach((id, hold) -> {
            long back =
                    hold.refunds().values().stream().mapToLong(Long::longValue).sum();
            if (hold.reserved() < 0 || hold.sold() < 0 || hold.reserved() + hold.sold() + back > hold.held()) {
                found.add(new Violation(CLAIM, id + " has more than was held, or less than nothing: " + hold));
            }
        });
        Map<String, Long> paying = new HashMap<>();
        for (Picture.Payment payment : picture.payments()) {
            if (payment.returned() != 0 && payment.returned() != payment.amount()) {
                found.add(new Violation(CLAIM, "of " + payment + " another sum went back"));
            }
            if (payment.returned() == 0) {
                paying.merge(payment.order(), 1L, Long::sum);
                Picture.Order order = picture.orders().get(payment.order());
                if (order == null || !order.status().equals("PAID")) {
                    found.add(new Violation(
                            "money is where it belongs", payment + " was kept, and its order is " + order));
                }
            }
        }
        paying.forEach((order, times) -> {
            if (times > 1) {
                found.add(new Violation(CLAIM, order + " was paid " + times + " times"));
            }
        });
        return found;
    }
}
