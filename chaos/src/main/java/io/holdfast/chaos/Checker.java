package io.holdfast.chaos;

import io.holdfast.chaos.Op.Kind;
import io.holdfast.chaos.Op.Told;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Holds what callers were told against what the stores hold in the end. Pure: the same history and picture, the same verdict. */
final class Checker {

    private final Map<String, List<Op>> byReservation = new TreeMap<>();
    private final List<Op> ops;
    private final List<Injection> injections;
    private final Picture picture;
    private final List<Violation> found = new ArrayList<>();

    private Checker(List<Op> ops, List<Injection> injections, Picture picture) {
        this.ops = ops;
        this.injections = injections;
        this.picture = picture;
        ops.forEach(op -> byReservation
                .computeIfAbsent(op.reservation(), _ -> new ArrayList<>())
                .add(op));
    }

    /** Every promise that was not kept; empty if all were. */
    static List<Violation> check(List<Op> ops, List<Injection> injections, Picture picture) {
        var checker = new Checker(ops, injections, picture);
        checker.found.addAll(SureHolds.check(ops, picture));
        checker.found.addAll(Reads.check(ops));
        checker.found.addAll(Effects.check(picture));
        checker.found.addAll(Agreement.check(picture));
        checker.found.addAll(picture.announced().check());
        checker.byReservation.forEach(checker::reservation);
        checker.withoutCause();
        checker.harmless();
        return List.copyOf(checker.found);
    }

    private void reservation(String id, List<Op> mine) {
        Picture.@Nullable Hold hold = picture.holds().get(id);
        for (Op op : mine) {
            accepted(op, hold);
        }
        if (hold != null) {
            ending(id, hold, mine);
            refunds(id, hold, mine);
        }
    }

    /** What was accepted is there; what was refused, or never taken, did nothing. */
    private void accepted(Op op, Picture.@Nullable Hold hold) {
        switch (op.kind()) {
            case HOLD -> {
                if (op.told() == Told.DONE && (hold == null || hold.held() != op.quantity())) {
                    broken("accepted holds are kept", op, "the journal has " + hold);
                }
                if (op.told() == Told.OPEN && hold == null) {
                    broken("accepted holds are kept", op, "no journal has it");
                }
                if (op.told() == Told.REFUSED && op.code().equals("SOLD_OUT") && hold != null && hold.held() > 0) {
                    broken("what was refused did nothing", op, "the journal has " + hold);
                }
            }
            case ADMIT -> {
                if (op.told() == Told.DONE && !op.code().isEmpty()) {
                    broken("a request is let in under one id", op, "it was answered for another one");
                }
                if (op.told() == Told.DONE && hold == null && !redisForgotAfter(op)) {
                    broken("accepted holds are kept", op, "it was let in, Redis forgot nothing, and no journal has it");
                }
                if (op.told() == Told.DONE && hold != null && hold.lost() && !redisForgotAfter(op)) {
                    broken("accepted holds are kept", op, "it ended as lost, and Redis forgot nothing");
                }
            }
            case CONFIRM, CANCEL, REFUND, TELL_CREATED, TELL_FAILED -> {
                if (op.told() == Told.DONE && hold == null) {
                    broken("what was done stays done", op, "no journal has it");
                }
            }
            case PAY, READ -> {}
        }
    }

    /** How it ended is what was asked for, by somebody, and what was answered. */
    private void ending(String id, Picture.Hold hold, List<Op> mine) {
        boolean confirmedForSure = any(mine, Told.DONE, Kind.CONFIRM);
        boolean cancelledForSure = any(mine, Told.DONE, Kind.CANCEL);
        boolean mayConfirm = mine.stream().anyMatch(op -> creates(op) && op.mayBeDone());
        boolean mayCancel = mine.stream().anyMatch(op -> fails(op) && op.mayBeDone());
        boolean sale = mine.stream().anyMatch(op -> op.kind() == Kind.ADMIT);
        if (confirmedForSure && cancelledForSure) {
            broken("an end is final", id, "a confirm and a cancel were both answered with yes");
        }
        if (confirmedForSure
                && !hold.status().equals("CONFIRMED")
                && !hold.status().equals("REFUNDED")) {
            broken("an end is final", id, "it was confirmed, and is " + hold.status());
        }
        // One that was turned away before it could be cancelled holds nothing either.
        boolean gone = hold.status().equals("CANCELED") || hold.status().equals("REJECTED") && hold.held() == 0;
        if (cancelledForSure && !gone) {
            broken("an end is final", id, "it was cancelled, and is " + hold.status());
        }
        if (sale) {
            return; // its order decides: that is held against the order
        }
        boolean ended = mine.stream()
                .anyMatch(op -> (creates(op) || fails(op)) && (op.told() == Told.DONE || op.told() == Told.OPEN));
        switch (hold.status()) {
            case "RESERVED" -> {
                if (ended) {
                    broken("what was done stays done", id, "its order was decided, and it is still RESERVED");
                }
            }
            case "CONFIRMED", "REFUNDED" -> {
                if (!mayConfirm) {
                    broken("nothing happens by itself", id, "nobody said that its order exists, and it is " + hold);
                }
            }
            case "CANCELED" -> {
                if (!mayCancel) {
                    broken("nothing happens by itself", id, "nobody said that its order failed, and it is " + hold);
                }
            }
            case "REJECTED", "NONE" -> {}
            default -> broken("everything comes to rest", id, "it is " + hold.status());
        }
    }

    private static boolean creates(Op op) {
        return op.kind() == Kind.CONFIRM || op.kind() == Kind.TELL_CREATED;
    }

    private static boolean fails(Op op) {
        return op.kind() == Kind.CANCEL || op.kind() == Kind.TELL_FAILED;
    }

    private void refunds(String id, Picture.Hold hold, List<Op> mine) {
        List<Op> asked = mine.stream().filter(op -> op.kind() == Kind.REFUND).toList();
        for (Op op : asked) {
            Long made = hold.refunds().get(op.key());
            if (op.told() == Told.DONE && (made == null || made != op.quantity())) {
                broken("what was done stays done", op, "of this refund the journal has " + made);
            }
        }
        boolean sale = mine.stream().anyMatch(op -> op.kind() == Kind.ADMIT);
        hold.refunds().forEach((refund, units) -> {
            boolean wanted =
                    asked.stream().anyMatch(op -> op.key().equals(refund) && op.mayBeDone() && op.quantity() == units);
            if (!wanted && !sale) {
                broken("nothing happens by itself", id, "nobody asked for the refund " + refund + " of " + units);
            }
        });
    }

    /** No journal tells of somebody whom nobody asked for. */
    private void withoutCause() {
        picture.holds().forEach((id, hold) -> {
            List<Op> mine = byReservation.getOrDefault(id, List.of());
            boolean asked = mine.stream()
                    .anyMatch(op -> (op.kind() == Kind.HOLD || op.kind() == Kind.ADMIT) && op.told() != Told.NOT_TAKEN);
            if (hold.held() > 0 && !asked) {
                broken("nothing happens by itself", id, "nobody's request was taken, and the journal has " + hold);
            }
        });
    }

    /** While nodes are restarted one by one every write is answered, sooner or later. */
    private void harmless() {
        injections.stream()
                .filter(Injection::harmless)
                .forEach(one -> ops.stream()
                        .filter(op -> patient(op) && op.from() >= one.from() && op.to() <= one.to())
                        .filter(op -> op.told() == Told.UNKNOWN || op.told() == Told.NOT_TAKEN)
                        .forEach(op -> broken("what is harmless disturbs nobody", op, one.line())));
    }

    /** Whether its caller asks again for long enough, and at every node. */
    private static boolean patient(Op op) {
        return switch (op.kind()) {
            case HOLD, CONFIRM, CANCEL, REFUND, TELL_CREATED, TELL_FAILED -> true;
            case ADMIT, PAY, READ -> false;
        };
    }

    private boolean redisForgotAfter(Op op) {
        return injections.stream().anyMatch(one -> one.losesRedis() && one.to() >= op.from());
    }

    private static boolean any(List<Op> mine, Told told, Kind kind) {
        Predicate<Op> wanted = op -> op.kind() == kind && op.told() == told;
        return mine.stream().anyMatch(wanted);
    }

    private void broken(String claim, Op op, String what) {
        broken(claim, op.reservation(), op.line() + ": " + what);
    }

    private void broken(String claim, String id, String what) {
        found.add(new Violation(claim, id + ": " + what));
    }
}
