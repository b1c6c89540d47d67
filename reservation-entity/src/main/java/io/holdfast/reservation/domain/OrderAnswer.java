package io.holdfast.reservation.domain;

/** What the order domain said when it was asked to publish the events of an order again. It moves nothing: only such an event does. */
public enum OrderAnswer {
    /** It will. */
    PUBLISHES,
    /** It knows no such order. Its word that the order failed may still come. */
    UNKNOWN_ORDER,
    /** It will not, whatever the reason. */
    REFUSED,
    /** No answer came that says any of these. */
    UNREACHED
}
