/** What a run says: where it ran, what came out, and which of the wanted figures are met. Values and text only; nothing is measured here. */
@org.jspecify.annotations.NullMarked
package io.holdfast.bench.report;
