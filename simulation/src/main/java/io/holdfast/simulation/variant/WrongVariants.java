package io.holdfast.simulation.variant;

import java.util.List;
import java.util.function.Supplier;

/** The catalogue. */
public final class WrongVariants {

    private static final List<Supplier<WrongVariant>> ALL = List.of(
            StockBeforeRepeat::new,
            NoFenceOnCancel::new,
            BlindIncrement::new,
            UnknownReadAsTurnedDown::new,
            ReleasedBeforeItIs::new,
            GrantedWithoutAsking::new,
            ConfirmWithoutPhaseCheck::new,
            RefundWithoutItsId::new,
            OffsetByNumberAlone::new,
            CancelByTimeout::new,
            InboxOutsideTransaction::new,
            NewIdOnResend::new,
            CommitsBeforeHandling::new,
            NoRejectedPhase::new,
            ReleaseBeforeDeficit::new,
            FenceWithoutItsUnits::new,
            ProcessNotChecked::new,
            ListedNoMoreOnceClaimed::new,
            MoneyNotGivenBack::new,
            StockFromNowhere::new,
            FencesLostForEver::new,
            EpochNotChecked::new,
            FenceOfAnyEpoch::new,
            EpochNotJournaled::new,
            MissingReadAsReleased::new,
            MarkerWithLifetime::new,
            ArchivedUnlooked::new,
            UnitsLostOnTheWay::new);

    private WrongVariants() {}

    /**
     * The one of a name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Supplier<WrongVariant> named(String name) {
        return ALL.stream()
                .filter(variant -> variant.get().name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no wrong variant is called " + name));
    }

    /** Makes one of each. What one keeps belongs to one world. */
    public static List<Supplier<WrongVariant>> all() {
        return ALL;
    }
}
