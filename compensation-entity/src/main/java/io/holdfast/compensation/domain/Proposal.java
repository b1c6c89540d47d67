package io.holdfast.compensation.domain;

/**
 * A resolution that waits for the approval of a second person.
 *
 * @param resolution what is proposed
 * @param by who proposes it
 */
public record Proposal(Resolution resolution, Statement by) {}
