package io.holdfast.engine.journal.jdbc;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;

/**
 * What is left of a batch: pieces in order, of which the first is tried next. A piece that is refused for one of its members is cut in two,
 * until the culprit stands alone; with k culprits among n that takes about 2 k log n tries. Only the first piece is ever touched, so
 * members are tried in the order they came.
 *
 * @param <W> members
 */
final class Splitting<W> {

    private final Deque<List<W>> pieces = new ArrayDeque<>();

    Splitting(List<W> batch) {
        push(batch);
    }

    boolean isEmpty() {
        return pieces.isEmpty();
    }

    /** The piece to try. */
    List<W> first() {
        return pieces.getFirst();
    }

    /** Nothing of the first piece is left to do. */
    void removeFirst() {
        pieces.removeFirst();
    }

    /** Only this part of the first piece is left to do. */
    void replaceFirst(List<W> rest) {
        pieces.removeFirst();
        push(rest);
    }

    /** Cuts the first piece in two. False if it has one member only. */
    boolean split() {
        List<W> piece = first();
        if (piece.size() == 1) {
            return false;
        }
        pieces.removeFirst();
        int middle = piece.size() / 2;
        push(piece.subList(middle, piece.size()));
        push(piece.subList(0, middle));
        return true;
    }

    /** Takes out whom this is said of, wherever they are, and returns them. */
    List<W> takeOut(Predicate<W> whom) {
        List<W> out = new ArrayList<>();
        List<List<W>> kept = new ArrayList<>();
        for (List<W> piece : pieces) {
            if (piece.stream().noneMatch(whom)) {
                kept.add(piece);
                continue;
            }
            List<W> rest = new ArrayList<>();
            piece.forEach(member -> (whom.test(member) ? out : rest).add(member));
            kept.add(rest);
        }
        pieces.clear();
        kept.stream().filter(piece -> !piece.isEmpty()).forEach(pieces::addLast);
        return out;
    }

    private void push(List<W> piece) {
        if (!piece.isEmpty()) {
            pieces.addFirst(piece);
        }
    }
}
