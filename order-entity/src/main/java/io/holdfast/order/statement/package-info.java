/**
 * The provider's statement held against the payments on record: what differs, and what of it may be put right without a person. How the two
 * sides are read belongs to their adapters; what a payment means belongs to {@code domain}.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.order.statement;
