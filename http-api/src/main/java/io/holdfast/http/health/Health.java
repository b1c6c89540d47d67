package io.holdfast.http.health;

/** How a part stands. */
public sealed interface Health {

    /** It can be used. */
    record Up() implements Health {}

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

    /** It can't be used, because. */
    static Health down(String why) {
        return new Down(why);
    }
}
