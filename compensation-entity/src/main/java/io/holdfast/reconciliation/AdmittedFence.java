package io.holdfast.reconciliation;

import io.holdfast.lua.Admission;
import io.holdfast.lua.Fence;
import io.holdfast.lua.Phase;
import java.util.Optional;

/** What the fence of a hold that a gate let in says of its admission. */
final class AdmittedFence {

    private static final String ADMITTED_BY = "try";

    private AdmittedFence() {}

    /** The admission as it was; empty where the hold came in otherwise, or anything else has been done to it since. */
    static Optional<Admission> admission(Fence fence) {
        boolean untouched = fence.phase() == Phase.RESERVED && fence.left() == fence.quantity();
        return fence.admitted()
                .filter(_ -> untouched)
                .flatMap(admitted -> Optional.ofNullable(fence.operations().get(ADMITTED_BY))
                        .map(hold -> new Admission(
                                fence.quantity(),
                                admitted.user(),
                                admitted.request(),
                                admitted.deadline(),
                                hold.at(),
                                hold.books())));
    }
}
