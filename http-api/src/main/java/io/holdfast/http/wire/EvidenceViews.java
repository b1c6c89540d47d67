package io.holdfast.http.wire;

import com.fasterxml.jackson.annotation.JsonRawValue;
import io.holdfast.http.wire.LedgerViews.AnomalyView;
import io.holdfast.reconciliation.systems.EvidenceSource;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What every source says of one object, in the order of authority. */
public final class EvidenceViews {

    private EvidenceViews() {}

    /**
     * What one source says.
     *
     * @param rank 1 is believed before 2
     * @param source which
     * @param says as the source has it
     */
    public record SourceView(
            int rank, String source, @JsonRawValue String says) {}

    /**
     * Of one reservation and its order.
     *
     * @param anomaly the anomaly it was asked for, if one
     * @param sources in the order of authority
     */
    public record EvidenceView(
            Optional<AnomalyView> anomaly, Optional<String> reservationId, List<SourceView> sources) {

        /** The wire form. */
        public static EvidenceView of(
                Optional<AnomalyView> anomaly, Optional<String> reservationId, List<EvidenceSource> sources) {
            return new EvidenceView(
                    anomaly,
                    reservationId,
                    sources.stream()
                            .map(source -> new SourceView(source.rank(), source.name(), source.json()))
                            .toList());
        }
    }

    /** One correction between systems. */
    public record RepairView(
            String repairId,
            String rule,
            String objectType,
            String objectId,
            String expectedVersion,
            String target,
            String anomalyId,
            String outcome,
            int attempts,
            String askedBy,
            Instant at,
            Optional<Instant> settledAt) {}

    /** The latest of them, newest first. */
    public record RepairsView(List<RepairView> repairs) {}
}
