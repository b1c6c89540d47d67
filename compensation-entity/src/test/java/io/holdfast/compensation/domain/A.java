package io.holdfast.compensation.domain;

import io.holdfast.compensation.domain.CompensationEvent.AskedAnew;
import io.holdfast.compensation.domain.CompensationEvent.CompensationApplied;
import io.holdfast.compensation.domain.CompensationEvent.CompensationRequested;
import io.holdfast.compensation.domain.CompensationEvent.CompensationVerified;
import io.holdfast.compensation.domain.CompensationEvent.ManualOpened;
import io.holdfast.compensation.domain.CompensationEvent.ResolutionProposed;
import io.holdfast.reservation.domain.Books;
import io.holdfast.reservation.domain.EffectPolicies;
import io.holdfast.reservation.domain.PoolId;
import io.holdfast.reservation.domain.Refund;
import io.holdfast.reservation.domain.Resolution.Ending;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Examples that fit together. */
final class A {

    static final Instant NOW = Instant.parse("2026-07-25T12:30:00Z");
    static final PoolId POOL = PoolId.parse("m-1:soup:2026-07-25");
    static final Content.Release CONTENT = new Content.Release("r-1", POOL, 5, true, false);
    static final Content.GiveBack REFUND = new Content.GiveBack("r-1", POOL, new Refund("f-1", 2, true), false);
    static final String KEY = CONTENT.key();
    static final Asked ASKED = new Asked(0, 1);
    static final Asked LATER = new Asked(7, 2);
    static final Books BOOKS = Books.expected(1, 3, 10, 0, 0);
    static final Result RELEASED = new Result.Released(5, BOOKS);
    static final Result REFUNDED = new Result.Refunded(BOOKS);
    static final Statement ADA = Statement.of("ada", "the goods went out", "INC-7");
    static final Statement GRACE = Statement.of("grace", "seen the note of delivery", "INC-7");
    static final Resolution AGAIN = new Resolution.Again();
    static final Resolution SOLD = new Resolution.StandAs(Ending.CONFIRMED);
    static final Evidence SAYS_SOLD = new Evidence(Evidence.Trigger.CONTRADICTION, "CONFIRMED_ALREADY", Map.of());

    static final CompensationPolicies ONE =
            new CompensationPolicies(EffectPolicies.standard().script(), false);
    static final CompensationPolicies TWO =
            new CompensationPolicies(EffectPolicies.standard().script(), true);

    static final CompensationRequested REQUESTED = new CompensationRequested(CONTENT, ASKED);
    static final CompensationApplied APPLIED = new CompensationApplied(RELEASED);
    static final CompensationVerified VERIFIED = new CompensationVerified();
    static final ManualOpened MANUAL = new ManualOpened(SAYS_SOLD, Optional.empty());
    static final AskedAnew ANEW = new AskedAnew(LATER);
    static final ResolutionProposed PROPOSED = new ResolutionProposed(new Proposal(SOLD, ADA));

    private A() {}
}
