package io.holdfast.http.route;

import io.holdfast.compensation.domain.Compensation;
import io.holdfast.compensation.domain.CompensationCommand;
import io.holdfast.engine.runtime.Entities;

/**
 * What routes ask about stock that goes back.
 *
 * @param entities the compensations, wherever they live
 * @param search lists them
 * @param evidence what all sources say of one object
 */
public record CompensationParts(
        Entities<Compensation, CompensationCommand> entities, CompensationSearch search, EvidenceReads evidence) {}
