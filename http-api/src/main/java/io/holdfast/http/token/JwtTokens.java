package io.holdfast.http.token;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.source.CachingJWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.BadJWSException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jose.util.events.Event;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.BadJWTException;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import com.nimbusds.jwt.proc.ExpiredJWTException;
import io.holdfast.http.access.Caller;
import io.holdfast.http.access.Denial;
import java.net.MalformedURLException;
import java.text.ParseException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signed tokens (JWT, RFC 7519) checked by the public keys their issuer shows. The algorithm is one of ours, never one the token chooses; a key
 * that is not known has the keys fetched anew, at most so often.
 */
public final class JwtTokens implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(JwtTokens.class);
    private static final int LARGEST_KEY_SET = 256 * 1024;
    private static final int DOTS = 2;
    /** Of all tokens that are kept together. */
    private static final int MOST_CHARACTERS = 8 * 1024 * 1024;

    private final JwtSettings settings;
    private final InstantSource clock;
    private final DefaultJWTProcessor<SecurityContext> processor;
    /** Fetching keys may block, and a signature takes its time: neither on a thread that answers others. */
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    /** Whether keys were ever fetched: then one that is not among them is unknown, and not just out of reach. */
    private final AtomicBoolean fetched = new AtomicBoolean();

    private final AtomicBoolean away = new AtomicBoolean();
    /** Another after each time they were fetched. */
    private volatile Keys current = new Keys(0, Optional.empty());
    /** Tokens that were found good: to prove a signature anew costs more than most of what is asked under it. */
    private final Cache<String, Known> known = Caffeine.newBuilder()
            .maximumWeight(MOST_CHARACTERS)
            .<String, Known>weigher((token, _) -> token.length())
            .build();

    /**
     * Keys, by which tokens are proved.
     *
     * @param since when they were fetched; empty while they are being fetched, when nobody knows by which a token is proved
     */
    private record Keys(int number, Optional<Instant> since) {}

    /** A token stands for its caller until then, while the keys of this number count. */
    private record Known(Verdict.Stands verdict, Instant until, int keys) {}

    /** @param clock what time it is */
    public JwtTokens(JwtSettings settings, InstantSource clock) {
        this.settings = settings;
        this.clock = clock;
        this.processor = new DefaultJWTProcessor<>();
        processor.setJWSTypeVerifier(
                new DefaultJOSEObjectTypeVerifier<>(JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null));
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(
                settings.algorithms().stream().map(JWSAlgorithm::parse).collect(Collectors.toSet()), keys()));
        processor.setJWTClaimsSetVerifier(new Claims(settings, clock));
    }

    /** What became of a token. */
    public sealed interface Verdict {

        /** Whom it stands for. */
        record Stands(Caller caller) implements Verdict {}

        /** It is not taken. */
        record Refused(Denial why) implements Verdict {}

        /** It can't be said now. */
        record KeysAway() implements Verdict {}
    }

    /** Whether a text could be a signed token at all. */
    public static boolean looksLikeOne(String token) {
        return token.chars().filter(c -> c == '.').count() == DOTS;
    }

    /** Checks a token. Does not fail, and never blocks the caller. */
    public CompletionStage<Verdict> check(String token) {
        Known before = known.getIfPresent(token);
        if (before != null
                && before.keys() == current.number()
                && clock.instant().isBefore(before.until())) {
            return CompletableFuture.completedStage(before.verdict());
        }
        return CompletableFuture.supplyAsync(() -> checked(token), threads);
    }

    /**
     * Keeps what was found, never longer than the token lasts, nor than its key may be taken without being fetched anew.
     *
     * @param keys that counted before the proof: if others count after it, nothing is gained, and nothing wrong kept
     */
    private Verdict.Stands remembered(String token, JWTClaimsSet claims, Caller caller, Keys keys) {
        var stands = new Verdict.Stands(caller);
        keys.since().ifPresent(since -> {
            Instant ends = claims.getExpirationTime().toInstant().plus(settings.skew());
            Instant keysEnd = since.plus(settings.keep());
            known.put(token, new Known(stands, ends.isBefore(keysEnd) ? ends : keysEnd, keys.number()));
        });
        return stands;
    }

    private Verdict checked(String token) {
        SignedJWT jwt;
        try {
            jwt = SignedJWT.parse(token);
        } catch (ParseException e) {
            return new Verdict.Refused(Denial.MALFORMED_TOKEN);
        }
        if (!settings.algorithms().contains(jwt.getHeader().getAlgorithm().getName())) {
            return new Verdict.Refused(Denial.WRONG_ALGORITHM);
        }
        Keys before = current;
        try {
            JWTClaimsSet claims = processor.process(jwt, null);
            var caller = Bearer.of(claims, settings);
            if (away.compareAndSet(true, false)) {
                LOG.info("the keys of tokens can be had again from {}", settings.keys());
            }
            return caller.<Verdict>map(one -> remembered(token, claims, one, before))
                    .orElseGet(() -> new Verdict.Refused(Denial.NO_SUBJECT));
        } catch (Claims.Unfit e) {
            return new Verdict.Refused(e.why());
        } catch (ExpiredJWTException e) {
            return new Verdict.Refused(Denial.EXPIRED_TOKEN);
        } catch (BadJWSException e) {
            return new Verdict.Refused(Denial.BAD_SIGNATURE);
        } catch (BadJWTException e) {
            return new Verdict.Refused(Denial.UNFIT_CLAIMS);
        } catch (BadJOSEException e) {
            return new Verdict.Refused(Denial.UNKNOWN_KEY);
        } catch (RateLimitReachedException _) {
            return unreached();
        } catch (KeySourceException e) {
            return away(e.getMessage());
        } catch (JOSEException e) {
            return new Verdict.Refused(Denial.BAD_SIGNATURE);
        }
    }

    /** So many unknown keys were asked for that they are not fetched again just now. */
    private Verdict unreached() {
        if (fetched.get()) {
            return new Verdict.Refused(Denial.UNKNOWN_KEY);
        }
        return away("they were never had, and are not asked for again so soon");
    }

    /** Said once, and not for every token. */
    private Verdict away(@Nullable String why) {
        if (away.compareAndSet(false, true)) {
            LOG.warn("the keys of tokens can't be had from {}: {}", settings.keys(), why);
        }
        return new Verdict.KeysAway();
    }

    private JWKSource<SecurityContext> keys() {
        int timeout = Math.toIntExact(settings.timeout().toMillis());
        var retriever = new DefaultResourceRetriever(timeout, timeout, LARGEST_KEY_SET);
        try {
            return JWKSourceBuilder.<SecurityContext>create(settings.keys().toURL(), url -> {
                        var resource = retriever.retrieveResource(url);
                        fetched.set(true);
                        return resource;
                    })
                    .cache(settings.keep().toMillis(), 2L * timeout + timeout, this::fetching)
                    .refreshAheadCache(false)
                    .rateLimited(settings.atMostEvery().toMillis())
                    .outageTolerant(settings.outage().toMillis())
                    .build();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("the address of the keys is no URL: " + settings.keys(), e);
        }
    }

    private synchronized void fetching(Event<CachingJWKSetSource<SecurityContext>, SecurityContext> event) {
        if (event instanceof CachingJWKSetSource.RefreshInitiatedEvent<?>) {
            current = new Keys(current.number() + 1, Optional.empty());
        } else if (event instanceof CachingJWKSetSource.RefreshCompletedEvent<?>) {
            current = new Keys(current.number() + 1, Optional.of(clock.instant()));
        }
    }

    @Override
    public void close() {
        threads.close();
    }
}
