/**
 * What a caller of entities relies on, whatever they live in: the suite of the port {@link io.holdfast.engine.runtime.Entities}. It runs on
 * memory, on the simulated fleet and on sharding over PostgreSQL. What only one of these does belongs to its own tests.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.testkit.entities;
