package io.holdfast.testkit.simulation;

import io.holdfast.engine.entity.Answer;
import java.util.function.Consumer;

/** Who waits for an answer, printed the same in every run. */
record Asker<S>(String of, Consumer<Answer<S>> answered) {

    void tell(Answer<S> answer) {
        answered.accept(answer);
    }

    @Override
    public String toString() {
        return "asker of " + of;
    }
}
