package io.holdfast.http.token;

import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.BadJWTException;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import io.holdfast.http.access.Denial;
import java.time.InstantSource;
import java.util.Date;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a token must say: who issued it, for whom, until when, and about whom. */
final class Claims extends DefaultJWTClaimsVerifier<SecurityContext> {

    private final JwtSettings settings;
    private final InstantSource clock;

    Claims(JwtSettings settings, InstantSource clock) {
        super(settings.audience(), null, Set.of("sub", "exp"));
        this.settings = settings;
        this.clock = clock;
        setMaxClockSkew(Math.toIntExact(settings.skew().toSeconds()));
    }

    /** A token of another issuer, or for others. */
    static final class Unfit extends BadJWTException {
        private static final long serialVersionUID = 1;
        private final Denial why;

        Unfit(Denial why) {
            super(why.word());
            this.why = why;
        }

        Denial why() {
            return why;
        }
    }

    @Override
    public void verify(JWTClaimsSet claims, @Nullable SecurityContext context) throws BadJWTException {
        if (!settings.issuer().equals(claims.getIssuer())) {
            throw new Unfit(Denial.WRONG_ISSUER);
        }
        if (!claims.getAudience().contains(settings.audience())) {
            throw new Unfit(Denial.WRONG_AUDIENCE);
        }
        super.verify(claims, context);
    }

    @Override
    protected Date currentTime() {
        return Date.from(clock.instant());
    }
}
