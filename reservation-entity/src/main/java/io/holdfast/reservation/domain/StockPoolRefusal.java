package io.holdfast.reservation.domain;

import io.holdfast.engine.machine.Refusal;

/** Why a stock pool says no. The names are part of the API. */
public enum StockPoolRefusal implements Refusal {
    /** Never initialised. */
    POOL_UNKNOWN("No pool of this id was initialised.", true),
    /** The entity's id is not a pool id. */
    POOL_ID_MALFORMED("This is not a pool id.", false),
    /** Initialised with another total, or as another sale, or as none. */
    ALREADY_INITIALIZED(
            "The pool was initialised with another total or other terms of sale; a total is adjusted, terms stay.",
            false),
    /** Closed for good. */
    POOL_CLOSED("The pool is closed; it can't be changed or opened again.", false),
    /** Takes holds still. */
    NOT_CLOSED("The pool still takes holds; close it first.", false),
    /** Something is still reserved, or owed, in it. */
    NOT_DRAINED("Reservations of the pool have not ended yet; it can't be archived.", false),
    /** Archived. */
    POOL_ARCHIVED("The pool is archived; nothing moves it any more.", false),
    /** The caller looked at an older baseline. */
    BASELINE_CHANGED("The baseline is not the one the change was based on; look again.", false),
    /** Same operation id, other content. */
    OPERATION_ID_REUSED("This operation id was used with other content; nothing was changed.", false),
    /** The id or the content of an operation is none that Redis takes. */
    OPERATION_MALFORMED("The operation is not one that Redis takes; nothing was changed.", false),
    /** The pool is not what the repair was based on. */
    REPAIR_OVERTAKEN("The pool or the fence has moved since it was looked at; nothing was changed.", false),
    /** Nothing to verify. */
    NOT_SUSPECT(
            "The pool is not suspect, and nothing shows that Redis does not serve it; there is nothing to verify.",
            true),
    /** Not so many units can be taken away. */
    UNITS_SHORT("Fewer units are available than this would take away; nothing was changed.", false),
    /** The pool is one of several of a sale, and not the one that speaks for it. */
    PART_OF_SALE("The pool is one bucket of a sale; ask the sale's own pool, activity:sku.", false),
    /** Another pool has the id of a bucket. */
    BUCKET_TAKEN("A pool that is not of this sale has the id of one of its buckets; nothing was created.", false),
    /** Too many operations wait. */
    TOO_MANY_OPERATIONS("Too many operations of this pool wait already; ask again later.", true);

    private final String explanation;
    private final boolean retryable;

    StockPoolRefusal(String explanation, boolean retryable) {
        this.explanation = explanation;
        this.retryable = retryable;
    }

    @Override
    public String code() {
        return name();
    }

    @Override
    public String explanation() {
        return explanation;
    }

    @Override
    public boolean retryable() {
        return retryable;
    }
}
