/**
 * The compensation machine made ready to run: what performs its effects, how reservations ask it, and its definition for the runtime. What a
 * compensation may do belongs to {@code domain}.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.compensation.entity;
