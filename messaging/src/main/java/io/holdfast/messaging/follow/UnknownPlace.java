package io.holdfast.messaging.follow;

/** A place that lies behind the end of the journal, so it is of another database. */
public final class UnknownPlace extends RuntimeException {

    private static final long serialVersionUID = 1;

    private UnknownPlace(Place place) {
        super("the journal has not come to " + place.text(), null, false, false);
    }

    /** Of this place. */
    public static UnknownPlace of(Place place) {
        return new UnknownPlace(place);
    }
}
