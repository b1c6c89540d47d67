package io.holdfast.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class FigureTest {

    @Test
    void a_bound_is_met_on_its_good_side_and_at_the_bound_itself() {
        assertThat(Figure.atLeast("x", 1.2, 1.5, 1.2).met()).isTrue();
        assertThat(Figure.atLeast("x", 1.2, 1.5, 1.19).met()).isFalse();
        assertThat(Figure.atMost("x", 140, 110, 140).met()).isTrue();
        assertThat(Figure.atMost("x", 140, 110, 141).met()).isFalse();
        assertThat(Figure.atLeast("x", 1, 1, Double.NaN).met()).isFalse();
    }

    @Test
    void a_line_says_value_bound_hope_and_verdict() {
        assertThat(Figure.atLeast("hold to stock", 1.8, 2.2, 2.5).line())
                .isEqualTo("hold to stock: 2.50, bound >= 1.80 (2.20 wanted): met, and what is wanted");
        assertThat(Figure.atLeast("hold to stock", 1.8, 2.2, 2).line()).endsWith("wanted): met");
        assertThat(Figure.atMost("cpu us", 140, 110, 171.4).line())
                .isEqualTo("cpu us: 171, bound <= 140 (110 wanted): NOT MET");
        assertThat(Figure.atLeast("hot to hold", 0.9, 0.9, 0.95).line())
                .isEqualTo("hot to hold: 0.95, bound >= 0.90: met");
    }
}
