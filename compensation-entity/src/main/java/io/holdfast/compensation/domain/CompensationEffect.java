package io.holdfast.compensation.domain;

import io.holdfast.engine.effect.Effect;
import io.holdfast.engine.effect.RetryPolicy;

/** What a compensation may owe. */
public sealed interface CompensationEffect extends Effect {

    /** What goes back. */
    Content content();

    /** Under which generation and epoch. */
    Asked asked();

    /** Calls the script, under the compensation's key. */
    record Apply(Content content, Asked asked, RetryPolicy retry) implements CompensationEffect {
        @Override
        public String operationId() {
            return content.key();
        }

        @Override
        public String name() {
            return "apply";
        }
    }

    /** Reads the fence back. */
    record ReadBack(Content content, Asked asked, RetryPolicy retry) implements CompensationEffect {
        @Override
        public String operationId() {
            return "READ:" + content.key();
        }

        @Override
        public String name() {
            return "read-back";
        }
    }
}
