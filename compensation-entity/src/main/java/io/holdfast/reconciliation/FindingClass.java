package io.holdfast.reconciliation;

/** What may be done about a finding. */
public enum FindingClass {
    /** The evidence is positive and one-sided: an ordinary, version-checked operation puts it right. */
    REPAIR,
    /** It may be explained by something under way, or be mended by what the pool does by itself: look again later. */
    WAIT,
    /** The sides contradict each other, or no record says who is right: a person decides. */
    MANUAL
}
