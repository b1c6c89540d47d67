/** The scenarios, one each class: what is set up, who takes turns, what is compared, what must add up. */
@org.jspecify.annotations.NullMarked
package io.holdfast.bench.scenario;
