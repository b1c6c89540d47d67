package io.holdfast.reconciliation.systems;

import io.holdfast.reconciliation.FindingClass;
import java.util.Map;

/** Hears how comparisons of systems end. Must not block or throw. */
public interface SystemsListener {

    /** A whole pass has ended; so many findings of each class are open. */
    void compared(Map<FindingClass, Long> open);

    /** A repair of a difference of this type was carried out, or refused as not needed any more. */
    void repaired(SystemFindingType type);
}
