package io.holdfast.compensation.domain;

import io.holdfast.engine.effect.RetryPolicy;

/**
 * How a compensation works.
 *
 * @param script how one call of Redis is attempted
 * @param secondPerson whether a resolution takes effect only once another person has approved it
 */
public record CompensationPolicies(RetryPolicy script, boolean secondPerson) {}
