package io.holdfast.http.health;

/** How a part stands. */
public sealed interface Health {

    /** It can be used. */
    record Up() implements Health {}

    /**
     * It can't, but the node serves without it: what it is for waits.
     *
     * @param why as for {@link Down}
     */
    record Degraded(String why) implements Health {}

    /**
     * It can't.
     *
     * @param why for operators: short, without addresses, credentials or stack traces
     */
    record Down(String why) implements Health {}

    /** It can be used. */
    static Health up() {
        return new Up();
    }

    /** It can't be used, because; the node serves all the same. */
    static Health degraded(String why) {
        return new Degraded(why);
    }

    /** It can't be used, because. */
    static Health down(String why) {
        return new Down(why);
    }
}
