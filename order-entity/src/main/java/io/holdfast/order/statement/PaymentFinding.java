package io.holdfast.order.statement;

import io.holdfast.order.domain.Payment;

/**
 * A payment in which the provider's books and ours differ.
 *
 * @param payment as the provider has it, or as we have it where the provider has none
 * @param atProvider what the provider says, for people
 * @param onRecord what we say, for people
 */
public record PaymentFinding(Type type, String orderId, Payment payment, String atProvider, String onRecord) {

    /** What differs. */
    public enum Type {
        /** The provider has it and we do not: the order is told, as by a notice. */
        NOT_ON_RECORD(Remedy.REPAIR),
        /** We have it and the provider does not. */
        NOT_AT_PROVIDER(Remedy.MANUAL),
        /** Amount, order or time differ. */
        OTHER_CONTENT(Remedy.MANUAL),
        /** It is on its way back: the provider has given it back, and that is not on record yet. */
        RETURN_UNDER_WAY(Remedy.WAIT),
        /** More or less went back than is on record. */
        OTHER_RETURN(Remedy.MANUAL);

        private final Remedy remedy;

        Type(Remedy remedy) {
            this.remedy = remedy;
        }

        /** What may be done about it. */
        public Remedy remedy() {
            return remedy;
        }
    }

    /** What may be done about a difference. */
    public enum Remedy {
        /** The evidence is one-sided: an ordinary command puts it right. */
        REPAIR,
        /** It may be under way. */
        WAIT,
        /** A person must look. */
        MANUAL
    }

    /** The same, once it is known that the money is on its way. */
    PaymentFinding underWay() {
        return new PaymentFinding(Type.RETURN_UNDER_WAY, orderId, payment, atProvider, onRecord);
    }
}
