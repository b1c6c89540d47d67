package io.holdfast.http.problem;

/** Every code this API answers a problem with. Names are stable: clients branch on them, {@code /errors/<code>} explains them. */
public enum ProblemCode {
    // The request itself.
    INVALID_REQUEST(
            400,
            "The request is not valid",
            "One or more values are missing, unknown, malformed or out of range; `errors` names each. Nothing was"
                    + " changed.",
            "Mend the request."),
    MALFORMED_HTTP(
            400,
            "This is not HTTP as this server speaks it",
            "The request line, a header or the framing of the body can't be understood. Nothing was changed.",
            "Mend the client."),
    UNAUTHENTICATED(
            401,
            "Who calls is not known",
            "No bearer token was sent, or none that is known here. Nothing was changed.",
            "Send `Authorization: Bearer <token>`."),
    FORBIDDEN(
            403,
            "The caller may not do this",
            "The caller is known, but its roles do not allow this, or it is about a merchant, an activity or a user"
                    + " that is not the caller's. Nothing was changed.",
            "Ask whoever gives out tokens for a role or a merchant that is missing; asking again changes nothing."),
    TOO_MANY_REQUESTS(
            429,
            "The caller makes more requests than it may",
            "This caller has made as many requests of this node as its role allows. Nothing was changed.",
            "Ask again after `Retry-After`, with the same key."),
    KEYS_UNAVAILABLE(
            503,
            "Tokens can't be checked now",
            "The issuer's public keys can't be fetched, so nobody knows whether the token is good. Nothing was"
                    + " changed.",
            "Ask again after `Retry-After`, with the same key."),
    NO_SUCH_ROUTE(404, "There is nothing at this address", "The path is none of this API.", "Mend the path."),
    METHOD_NOT_ALLOWED(
            405,
            "The address does not take this method",
            "The path exists, the method does not apply to it, and `Allow` lists those that do; or no address takes the"
                    + " method, and `Allow` lists those that any takes. Nothing was changed.",
            "Use another method."),
    NOT_ACCEPTABLE(
            406,
            "No representation that the caller accepts",
            "The `Accept` header excludes every media type this address has. Nothing was changed.",
            "Accept what `detail` names, mostly `application/json`."),
    PRECONDITION_FAILED(
            412,
            "It is not what the change was based on",
            "The baseline has another version than `If-Match` names; `version_now` is it (0: there is none). Nothing"
                    + " was changed.",
            "Read it and decide again."),
    REQUEST_TOO_SLOW(
            408,
            "The body did not arrive in time",
            "The body took too long to arrive. Nothing was changed.",
            "Send it again."),
    BODY_TOO_LARGE(
            413,
            "The body is too large",
            "The body is larger than this server takes. Nothing was changed.",
            "Send less."),
    URI_TOO_LONG(414, "The address is too long", "The request target is longer than this server takes.", "Shorten it."),
    UNSUPPORTED_MEDIA_TYPE(
            415,
            "The body is of a type that this address does not take",
            "The `Content-Type` is none of those that this address takes, or missing, or names another charset than"
                    + " UTF-8; or the body is compressed. Nothing was changed.",
            "Send `Content-Type: application/json`, or what `detail` names, in UTF-8 and not compressed."),
    HEADERS_TOO_LARGE(
            431,
            "The headers are too large",
            "A header, or all of them together, exceeds what this server takes, or there are too many.",
            "Send less."),

    // What the engine refuses.
    KEY_REUSED(
            422,
            "The idempotency key was used with other content",
            "This key was given to this entity before with another operation or other content. Nothing was changed.",
            "Use a new key for a new request, or repeat the first one unchanged."),
    WRONG_ENTITY(
            503,
            "The request reached the wrong entity",
            "The command was delivered to an entity it was not addressed to. Nothing was changed.",
            "Ask again with the same key; tell the operator if it happens again."),
    TOO_MANY_WAITING(
            503,
            "Too many callers wait for this entity",
            "As many callers as are allowed already wait for it. Nothing was changed.",
            "Ask again with the same key after `Retry-After`."),
    JOURNAL_UNREADABLE(
            503,
            "The journal of this entity can't be read",
            "The entity's journal holds something this version can't read, so it does not serve rather than guess.",
            "An operator has to look; asking again works once it is mended."),

    // What a reservation refuses.
    SOLD_OUT(
            409,
            Again.ONCE_CHANGED,
            "Not enough units",
            "The pool had fewer units available than were asked for. With `recorded: true` the reservation ended"
                    + " REJECTED and never holds anything, even if units come back; with `recorded: false` it ended"
                    + " nothing.",
            "Try another item; or start anew, with a new `order_item_id` where it was recorded."),
    POOL_PAUSED(
            409,
            "The pool takes no new holds for now",
            "The pool was paused when the reservation was tried; the reservation ended REJECTED.",
            "Start anew with a new `order_item_id` once the pool is resumed."),
    POOL_CLOSED(
            409,
            "The pool is closed",
            "The pool takes no new holds and no changes any more. A reservation that was tried has ended REJECTED.",
            "Use another pool."),
    FENCED(
            409,
            "The hold was blocked",
            "The reservation's record in Redis had ended before the hold; nothing was held and the reservation ended.",
            "Start anew with a new `order_item_id`."),
    OTHER_LINE_NOT_HELD(
            409,
            "Another line could not be held",
            "All lines were to be held or none, and another one could not be: its pool was short, paused or closed, or"
                    + " its order item can't be held any more. Nothing was held, and this reservation ended REJECTED.",
            "`because_of` names those lines, where they were asked for together; start anew with new `order_item_id`s,"
                    + " without it or each line on its own."),
    OTHER_CONTENT(
            422,
            "The reservation exists with other content",
            "A reservation for this order item, or an order of this id, exists with another quantity, order, buyer,"
                    + " pool or time. Nothing was changed.",
            "Read the reservation; use a new `order_item_id` for another wish."),
    WAS_CANCELED(
            409,
            "The reservation was cancelled",
            "The order of this reservation failed or was cancelled, before it was tried or after. It never holds"
                    + " again.",
            "Start anew with a new `order_item_id`."),
    WAS_REFUNDED(
            409,
            "The reservation was refunded",
            "Everything the order had went back. It never holds again.",
            "Start anew with a new `order_item_id`."),
    ORDER_ALREADY_CREATED(
            409,
            "The order was created before",
            "The order is known to exist, so it can't have failed to be created. Nothing moved; the contradiction is"
                    + " recorded.",
            "Ask for a refund instead."),
    ORDER_ALREADY_FAILED(
            409,
            "The order failed before",
            "The order is known to have failed, so it can't exist. Nothing moved; the contradiction is recorded.",
            "Start anew with a new `order_item_id`."),
    NOTHING_HELD(
            409,
            "Nothing is held",
            "No hold was granted, so there is nothing to confirm or give back. Nothing moved; the contradiction is"
                    + " recorded.",
            "Start anew with a new `order_item_id`."),
    ORDER_EXCEEDS_HOLD(
            409,
            "The order wants more than is held",
            "The order names more units than were held. Nothing moved; the contradiction is recorded.",
            "Name at most the quantity held."),
    ORDER_QUANTITY_CONFLICT(
            409,
            "The order was created with another quantity",
            "The order was created before, with another quantity. Nothing moved; the contradiction is recorded.",
            "Read the reservation."),
    REFUND_EXCEEDS(
            409,
            "The refund is larger than what is left",
            "The refund names more units, or more money, than the order still has. Nothing was given back, and of a"
                    + " reservation this refund id has ended.",
            "Ask for less under a new `refund_id`."),
    REFUND_ID_REUSED(
            422,
            "The refund id was used with other content",
            "This refund id was used before with another quantity or other terms. Nothing was changed.",
            "Use a new `refund_id`."),
    OTHER_ORDER(
            409,
            "The reservation belongs to another order",
            "The `order_id` is not that of the order the reservation is of. Nothing moved; the contradiction is"
                    + " recorded.",
            "Name the right reservation."),
    UNDER_REVIEW(
            409,
            Again.ONCE_CHANGED,
            "A person must look first",
            "The reservation, or order, is under review: a person must look at it first; until then it does nothing."
                    + " Nothing was changed.",
            "Ask again when the review is over."),
    NOT_UNDER_REVIEW(
            409,
            Again.ONCE_CHANGED,
            "Nothing is under review",
            "There is no review that could be lifted. Nothing was changed.",
            "Read the reservation."),
    RESOLUTION_NOT_ALLOWED(
            409,
            Again.ONCE_CHANGED,
            "This resolution is not possible",
            "The resolution contradicts the state it is in. Nothing was changed.",
            "Choose another resolution."),
    RESOLVED_AT_COMPENSATION(
            409,
            Again.ONCE_CHANGED,
            "The compensation is to be resolved",
            "The reservation waits for its compensation, which its review names; what is decided is decided there."
                    + " Nothing was changed.",
            "Resolve the compensation."),
    UNKNOWN_COMPENSATION(
            404,
            Again.ONCE_CHANGED,
            "There is no such compensation",
            "No compensation has a journal of its own under this key.",
            "Check the key; what nothing contradicts is in its reservation's journal alone."),
    UNKNOWN_ANOMALY(
            404, Again.ONCE_CHANGED, "There is no such anomaly", "No anomaly of this id is kept.", "Check the id."),
    NOT_MANUAL(
            409,
            Again.ONCE_CHANGED,
            "The compensation does not wait for a person",
            "There is nothing to resolve. Nothing was changed.",
            "Read the compensation."),
    COMPENSATION_ENDED(
            409,
            "The compensation has ended",
            "It owes nothing that could be stopped. Nothing was changed.",
            "Nothing needs to be done."),
    OTHER_PROPOSAL(
            409,
            Again.ONCE_CHANGED,
            "Another resolution waits for approval",
            "Somebody proposed something else before. Nothing was changed.",
            "Approve that one, or decline it first."),
    NOTHING_PROPOSED(
            409,
            Again.ONCE_CHANGED,
            "No resolution waits for approval",
            "There is nothing to approve or to decline. Nothing was changed.",
            "Read the compensation."),
    SAME_PERSON(
            409,
            Again.ONCE_CHANGED,
            "Another person must approve",
            "Whoever proposed a resolution can't approve it too. Nothing was changed.",
            "Have somebody else approve it, with their own token."),
    INCIDENT_MISSING(
            422,
            Again.ONCE_CHANGED,
            "The incident is missing",
            "A resolution names the number of its incident. Nothing was changed.",
            "Send `incident`."),
    ALREADY_ENDED(
            409,
            "It has ended",
            "It owes nothing that could be frozen. Nothing was changed.",
            "Nothing needs to be done."),
    UNKNOWN_RESERVATION(
            404,
            Again.ONCE_CHANGED,
            "There is no such reservation",
            "No reservation was asked for under this id.",
            "Check the id."),

    // What an order refuses.
    UNKNOWN_ORDER(
            404,
            Again.ONCE_CHANGED,
            "There is no such order",
            "No order was asked for under this id.",
            "Check the id; an order of an admitted hold has the id of its reservation, and is asked for within"
                    + " seconds."),
    OUT_OF_FINAL_STOCK(
            409,
            "The sale has too few units",
            "The sale had fewer units left than were asked for; there is no order.",
            "Nothing needs to be done: the hold goes back by itself."),
    DUPLICATE_BUYER(
            409,
            "The buyer has a live order",
            "The buyer has another live order of this item; there is no order.",
            "Use the other order."),
    LATE_REJECTED(
            409,
            "The order was asked for too late",
            "The business deadline was decided on before the request came; there is no order.",
            "Nothing needs to be done: the hold goes back by itself."),
    DEADLINE_NOT_REACHED(
            409,
            Again.ONCE_CHANGED,
            "The deadline is still to come",
            "The business deadline has not passed. Nothing was changed.",
            "Ask again when it has."),
    ALREADY_CREATED(
            409,
            "The order exists",
            "The order exists, so its deadline is of no account. Nothing was changed.",
            "Read the order."),
    WAS_REJECTED(
            409,
            "The order was rejected",
            "The order was rejected: there is nothing to pay, cancel or refund. Nothing was changed.",
            "Read the order: it says why."),
    NOT_CREATED_YET(
            409,
            Again.ONCE_CHANGED,
            "The order is not decided yet",
            "The order was asked for and is not decided yet. Nothing was changed.",
            "Ask again in a moment."),
    CANCEL_IN_PROGRESS(
            409,
            Again.ONCE_CHANGED,
            "The order is being cancelled",
            "The order is being cancelled, so no payment can begin. Nothing was changed.",
            "Read the order: it ends CANCELLED, or PAID if a payment was made before."),
    WAS_CANCELLED(
            409,
            "The order was cancelled",
            "The order was cancelled and its units went back. Nothing was changed.",
            "Nothing needs to be done: a payment that still comes is given back, or brings the order back where the"
                    + " sale says so."),
    ALREADY_PAID(
            409,
            "The order is paid",
            "The order is paid: it can only be refunded. Nothing was changed.",
            "Ask for a refund instead."),
    NOT_PAID(
            409,
            Again.ONCE_CHANGED,
            "The order is not paid",
            "Only a paid order can be refunded. Nothing was changed.",
            "Cancel it instead, or ask again when it is paid."),
    REFUND_CURRENCY(
            409,
            "The refund is in another currency",
            "The refund is in another currency than the payment. Nothing was changed.",
            "Name the currency of the payment."),
    TOO_MANY_PAYMENTS(
            409,
            "Too many payments of one order",
            "So many payments were made for this order that it takes no more. Nothing was changed.",
            "A person has to look: read the order."),
    TOO_MANY_REFUNDS(
            409,
            "Too many refunds of one order",
            "So many refunds were made of this order that it takes no more. Nothing was changed.",
            "A person has to look: read the order."),
    NO_ORDER_SERVICE(
            404,
            "Another system makes the orders",
            "This fleet makes no orders itself (`orders.service.kind` is external). Nothing was changed.",
            "Ask the system that does."),
    NOTICE_NOT_BELIEVED(
            401,
            "The notice is not believed",
            "A notice of a payment must be signed with a secret that is known here. Nothing was changed.",
            "Sign the body as it is sent, with `t=<seconds>,v1=<HMAC-SHA256 in hex>` in `Payment-Signature`."),
    NOTICE_OF_OTHER_TIME(
            401,
            "The notice is of another time",
            "The notice was signed too long ago, or is of a time to come. Nothing was changed.",
            "Sign it anew when it is sent again; mend the clock."),
    NOTICE_NOT_UNDERSTOOD(
            422,
            "The notice is not understood",
            "The notice is signed, but what it says can't be read. Nothing was changed.",
            "Mend the notice; the payment is found meanwhile when the statement is compared."),

    // What a stock pool refuses.
    POOL_UNKNOWN(
            404,
            Again.ONCE_CHANGED,
            "There is no such pool",
            "No pool of this id was initialised. Nothing was recorded.",
            "Check the id, or initialise the pool."),
    POOL_NOT_READY(
            503,
            "The pool is being created",
            "The pool was asked for and is not in Redis yet. Nothing was recorded.",
            "Ask again after `Retry-After`."),
    POOL_SUSPECT(
            503,
            "The pool is being verified",
            "Redis can't be trusted for this pool until it is shown to agree with the journals. Nothing was recorded.",
            "Ask again after `Retry-After`; `GET` the pool shows what was found."),
    POOL_REBUILDING(
            503,
            "The pool is being rebuilt",
            "Redis is loaded anew from the journals for this pool, or was just and lets new holds in little by little."
                    + " Nothing was recorded.",
            "Ask again after `Retry-After`, with the same ids."),
    POOLS_APART(
            409,
            "The pools share no hash tag",
            "Lines can be held all or nothing only in one pool, or in pools that were created to share a hash tag (see"
                    + " `reservation.shared-tag-merchants`). Nothing was recorded.",
            "Ask for each line on its own, without `all_or_nothing`."),
    POOL_ID_MALFORMED(
            400,
            "This is not a pool id",
            "The id does not follow the syntax of pool ids. Nothing was changed.",
            "Mend the id."),
    NOT_CLOSED(
            409,
            "The pool still takes holds",
            "Only a closed pool can be archived. Nothing was changed.",
            "Close it first, then ask under a new key."),
    NOT_DRAINED(
            409,
            "Reservations of the pool have not ended",
            "A reservation of the pool holds units, owes something or is under review. Nothing was changed.",
            "Ask again under a new key when they have ended; the list of reservations shows them."),
    POOL_ARCHIVED(
            409, "The pool is archived", "Nothing moves the pool any more. Nothing was changed.", "Use another pool."),
    ALREADY_INITIALIZED(
            409,
            "The pool was initialised otherwise",
            "The pool exists, and was created with another total, or with other terms of sale, or without any. Nothing"
                    + " was changed.",
            "Read it. Adjust it where it is to have another total; terms of sale stay as they were created: use another"
                    + " pool for others."),
    BASELINE_CHANGED(
            409,
            "The baseline was changed meanwhile",
            "The baseline has another version than `expected_version`. Nothing was changed.",
            "Read it and decide again."),
    UNITS_SHORT(
            409,
            "Fewer units are available than would be taken away",
            "The total of a sale with buckets goes down only by units that are available, and these are held or sold."
                    + " Nothing was changed.",
            "Ask for a higher total under a new key, or again once units have come back."),
    PART_OF_SALE(
            409,
            "The pool is one bucket of a sale",
            "The stock of this sale lies in several pools, and `sale_pool` speaks for all of them; what a user may"
                    + " hold is known at its gate, and not at a pool of it. Nothing was changed.",
            "Ask that pool; for units, ask at `sale_url`."),
    BUCKET_TAKEN(
            409,
            "A bucket of this sale would be another's pool",
            "A pool that is not of this sale has the id of one of its buckets, `activity:sku:bN`. The sale was not"
                    + " created.",
            "Use another id for the sale, or fewer buckets."),
    BASELINE_UNKNOWN(
            404,
            Again.ONCE_CHANGED,
            "Nothing is set out for this dish",
            "The merchant has no baseline for this dish.",
            "Check the ids, or set a baseline."),
    OTHER_ZONE(
            409,
            "The merchant's days are told by another time zone",
            "All baselines of a merchant go by one time zone, that of the settings where they name one; `zone_now` is"
                    + " it. Nothing was changed.",
            "Leave `zone` out, or withdraw the merchant's other baselines first."),
    OPERATION_ID_REUSED(
            422,
            "The operation id was used with other content",
            "An operation of this pool was asked for before under this key with other content. Nothing was changed.",
            "Use a new key."),
    OPERATION_MALFORMED(
            400,
            "The operation is not one that Redis takes",
            "The id or the content of the operation is malformed. Nothing was changed.",
            "Use another key; report it, since requests are checked before."),
    NOT_SUSPECT(
            409,
            Again.ONCE_CHANGED,
            "The pool is not suspect",
            "Redis serves the pool, or does not answer: there is nothing to verify. Nothing was changed.",
            "Nothing needs to be done. Should the pool become suspect, the same request is taken then: this is what"
                    + " `retryable` says."),
    TOO_MANY_OPERATIONS(
            503,
            "Too many operations of this pool wait",
            "As many operations as are allowed already wait for this pool. Nothing was changed.",
            "Ask again with the same key after `Retry-After`."),
    UNKNOWN_MACHINE(
            404, "There is no such machine", "No machine of this name runs here.", "`GET /v1/machines` names them."),

    REPAIR_OVERTAKEN(
            409,
            "The pool has moved since it was looked at",
            "A repair is made only of what has not moved since it was looked at. Nothing was changed.",
            "Compare again."),
    NO_SUCH_RUN(
            404,
            "There is no such run",
            "No reconciliation of this id was asked for, or it ended so long ago that it is forgotten.",
            "Check the id; `GET /v1/reconciliations` lists those that are kept."),

    // The gate of a sale.
    NO_SALE(
            409,
            Again.ONCE_CHANGED,
            "The pool has no gate",
            "The pool exists and was not created with a `sale`. Nothing was recorded.",
            "Hold units with `POST /v1/reservations`, or use another pool."),
    NOT_STARTED(
            409,
            Again.ONCE_CHANGED,
            "The sale has not begun",
            "Users are let in from `opens_at` on. Nothing was recorded.",
            "Ask again with the same ids then."),
    CLOSED(
            409,
            "The sale is over",
            "Its window has ended, or its pool was closed. Nothing was recorded; who was let in before stays in.",
            "Try another item."),
    SALE_PAUSED(
            409,
            Again.ONCE_CHANGED,
            "The sale is paused",
            "Nobody is let in at the moment. Nothing was recorded.",
            "Ask again later with the same ids."),
    LIMIT_REACHED(
            409,
            Again.ONCE_CHANGED,
            "The user holds as much as the sale allows",
            "With these units the user would hold more than `limit_per_user`; `held` is what the user holds. Nothing"
                    + " was recorded.",
            "Ask for fewer, or again once something went back."),
    REQUEST_ID_REUSED(
            422,
            "The request id was used with other content",
            "The user's request of this id was let in before with another quantity. Nothing was changed.",
            "Use a new `request_id` for another wish, or repeat the first one unchanged."),
    ADMISSION_ENDED(
            409,
            "The hold of this request has ended",
            "The request was let in before, or its order was decided against, and its hold has ended. It never holds"
                    + " again.",
            "Start anew with a new `request_id`."),
    ADMISSION_HELD_BACK(
            503,
            "Nobody is let in for a moment",
            "What was let in is not taken over as fast as it comes: `reason` is HAND_OFF (reservations), BROKER"
                    + " (requests for orders) or JOURNAL; or units of the sale are on their way between its pools,"
                    + " BUCKETS. Nothing was recorded; who was let in before is still told so.",
            "Ask again after `Retry-After` with the same ids."),

    ORDER_DECIDES(
            409,
            "Its order decides",
            "The hold came in by the gate of a sale and takes its fate from its order alone. Nothing was changed.",
            "Pay, cancel or refund the order at `order_url`."),

    // Events of other systems.
    NO_SUCH_EVENT(
            404,
            "There is no such event or run",
            "No event of this id waits, or this node knows no run of this id. Nothing was changed.",
            "Check the id; a run that was lost with its node is begun again."),
    BROKER_UNAVAILABLE(
            503,
            "Kafka does not answer",
            "The broker can't be asked now. What was sent before it stopped answering stays sent; sending it again"
                    + " does nothing twice.",
            "Ask again after `Retry-After`."),

    // This node.
    INTERNAL(
            500,
            "The server failed",
            "A fault in this server; `incident` names it in its log. If the request was to change something, it may or"
                    + " may not have.",
            "Ask again with the same key; report the incident."),
    OUTCOME_UNKNOWN(
            503,
            "No answer came, and it may have been recorded",
            "The request was passed on and not answered in time. It may have been recorded: then it will be driven to"
                    + " its end.",
            "Ask again with the same key, or read the address given; never start anew under another id."),
    UNAVAILABLE(
            503,
            "Not taken",
            "This node can't take the request now: it is starting, stopping or too busy. Nothing was changed.",
            "Ask again with the same key after `Retry-After`."),
    TOO_BUSY(
            503,
            "Too many queries at once",
            "As many queries as are allowed already wait for their turn. Nothing was changed.",
            "Ask again after `Retry-After`."),
    TOO_MANY_WEBHOOKS(
            409,
            "Too many webhooks",
            "There are as many webhooks as `webhooks.most` lets there be. Nothing was changed.",
            "Remove one that is not needed."),
    UNKNOWN_WEBHOOK(
            404,
            "There is no such webhook",
            "There is no webhook, secret or delivery of this id, or it is not the caller's.",
            "Mend the id."),
    TOO_MANY_STREAMS(
            503,
            "Too many streams of events",
            "As many streams as are allowed are open at this node.",
            "Ask again after `Retry-After`, or another node, with the same `Last-Event-ID`.");

    private final int status;
    private final Again again;
    private final String title;
    private final String meaning;
    private final String remedy;

    ProblemCode(int status, String title, String meaning, String remedy) {
        this(status, Again.byStatus(status), title, meaning, remedy);
    }

    ProblemCode(int status, Again again, String title, String meaning, String remedy) {
        this.status = status;
        this.again = again;
        this.title = title;
        this.meaning = meaning;
        this.remedy = remedy;
    }

    /** HTTP status it is answered with, always the same. */
    public int status() {
        return status;
    }

    /** Whether to send the same request again. */
    public Again again() {
        return again;
    }

    /** Short summary, the same for every occurrence. */
    public String title() {
        return title;
    }

    /** What happened, and what did not. */
    public String meaning() {
        return meaning;
    }

    /** What a caller can do. */
    public String remedy() {
        return remedy;
    }

    /** Where it is explained: the {@code type} of RFC 9457, relative to this server. */
    public String type() {
        return "/errors/" + name();
    }

    /** The page that explains it, in Markdown: the same that is in {@code docs/errors}. */
    public String page() {
        return """
            # %s

            %s. HTTP status %d.

            ## What it means
            %s

            ## Ask again?
            %s

            ## What to do
            %s
            """.formatted(name(), title, status, meaning, again.sentence(), remedy);
    }
}
