/**
 * What those rely on who rest a decision on a projection, whatever the projection lives in: the suite of the port
 * {@link io.holdfast.engine.projection.ProjectionProgress}. It runs on the simulated one and on PostgreSQL.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.testkit.projection;
