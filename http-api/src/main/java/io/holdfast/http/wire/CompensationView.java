package io.holdfast.http.wire;

import io.holdfast.compensation.domain.Asked;
import io.holdfast.compensation.domain.Compensation;
import io.holdfast.compensation.domain.CompensationMachine;
import io.holdfast.compensation.domain.Content;
import io.holdfast.compensation.domain.Evidence;
import io.holdfast.compensation.domain.Proposal;
import io.holdfast.compensation.domain.Result;
import io.holdfast.compensation.domain.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A compensation: stock that goes back.
 *
 * @param compensation its key
 * @param status where it stands
 * @param reservationUrl where its reservation is read
 * @param quantity units that go back
 * @param restock whether they become available again; of a refund
 * @param epoch of the pool under which its script is called
 * @param result what it came to
 * @param books the pool's numbers after it
 * @param manual why a person is waited for, and what may be decided
 * @param resolved what persons decided
 */
public record CompensationView(
        String compensation,
        String status,
        Optional<String> reservationId,
        Optional<String> reservationUrl,
        Optional<String> pool,
        Optional<Long> quantity,
        Optional<Boolean> restock,
        Optional<Long> epoch,
        Optional<String> result,
        Optional<BooksView> books,
        Optional<Manual> manual,
        Optional<Resolved> resolved) {

    /**
     * Why a person is waited for.
     *
     * @param trigger CONTRADICTION or FROZEN
     * @param answer what the script answered, or why it was stopped
     * @param evidence what else was seen
     * @param resolutions what may be decided
     * @param proposal what waits for a second person
     */
    public record Manual(
            String trigger,
            String answer,
            Map<String, String> evidence,
            List<String> resolutions,
            Optional<Proposed> proposal) {}

    /** What one person proposes. */
    public record Proposed(String resolution, String by, String reason, Optional<String> incident) {}

    /** What was decided. */
    public record Resolved(
            String resolution, String by, String reason, Optional<String> incident, Optional<String> approvedBy) {}

    /** The wire form. */
    public static CompensationView of(Compensation state) {
        return switch (state) {
            case Compensation.Pending pending ->
                new CompensationView(
                        pending.id(),
                        pending.status().name(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());
            case Compensation.Applied s -> of(s, Optional.of(s.result()), Optional.empty(), Optional.empty());
            case Compensation.Verified s -> of(s, Optional.of(s.result()), Optional.empty(), Optional.empty());
            case Compensation.Manual s -> of(s, Optional.empty(), Optional.of(manual(s)), Optional.empty());
            case Compensation.Resolved s -> of(s, Optional.empty(), Optional.empty(), Optional.of(resolved(s)));
            case Compensation.Applying s -> of(s, Optional.empty(), Optional.empty(), Optional.empty());
            case Compensation.Withdrawn s -> of(s, Optional.empty(), Optional.empty(), Optional.empty());
        };
    }

    private static CompensationView of(
            Compensation.Known state, Optional<Result> result, Optional<Manual> manual, Optional<Resolved> resolved) {
        Content content = state.content();
        Asked asked = state.asked();
        return new CompensationView(
                state.id(),
                state.status().name(),
                Optional.of(content.reservationId()),
                Optional.of(Paths.reservation(content.reservationId())),
                Optional.of(content.pool().value()),
                Optional.of(
                        switch (content) {
                            case Content.Release release -> release.quantity();
                            case Content.GiveBack refund -> refund.refund().quantity();
                        }),
                content instanceof Content.GiveBack refund
                        ? Optional.of(refund.refund().restock())
                        : Optional.empty(),
                Optional.of(asked.epoch()),
                result.map(CompensationView::name),
                result.flatMap(CompensationView::books),
                manual,
                resolved);
    }

    private static String name(Result result) {
        return switch (result) {
            case Result.Released _ -> "RELEASED";
            case Result.Refunded _ -> "REFUNDED";
            case Result.TooLate _ -> "TOO_LATE";
        };
    }

    private static Optional<BooksView> books(Result result) {
        return switch (result) {
            case Result.Released released -> Optional.of(BooksView.of(released.books()));
            case Result.Refunded refunded -> Optional.of(BooksView.of(refunded.books()));
            case Result.TooLate _ -> Optional.empty();
        };
    }

    private static Manual manual(Compensation.Manual state) {
        Evidence evidence = state.evidence();
        return new Manual(
                evidence.trigger().name(),
                evidence.answer(),
                evidence.details(),
                CompensationMachine.allowed(state.content()).stream()
                        .map(resolution ->
                                CompensationOrder.Choice.of(resolution).name())
                        .toList(),
                state.proposal().map(CompensationView::proposed));
    }

    private static Proposed proposed(Proposal proposal) {
        Statement by = proposal.by();
        return new Proposed(
                CompensationOrder.Choice.of(proposal.resolution()).name(), by.operator(), by.reason(), by.incident());
    }

    private static Resolved resolved(Compensation.Resolved state) {
        Statement by = state.by();
        return new Resolved(
                state.ending().name(),
                by.operator(),
                by.reason(),
                by.incident(),
                state.approvedBy().map(Statement::operator));
    }
}
