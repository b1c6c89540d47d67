package io.holdfast.http.route;

import io.holdfast.http.access.Caller;
import io.holdfast.http.access.Denial;
import io.holdfast.http.route.HttpSettings.TokenHolder;
import io.holdfast.http.token.JwtTokens;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.http.javadsl.model.HttpHeader;
import org.apache.pekko.http.javadsl.model.HttpRequest;

/**
 * Bearer tokens (RFC 6750): those of the settings, compared by hash and in constant time, so that neither a guess's start nor its length shows
 * in the time taken; and signed ones.
 */
final class BearerTokens implements Authenticator {

    private record Known(Caller caller, String sha256) {}

    private final List<Known> known;
    private final Optional<JwtTokens> signed;

    BearerTokens(List<TokenHolder> holders, Optional<JwtTokens> signed) {
        this.signed = signed;
        this.known = holders.stream()
                .map(holder -> new Known(holder.caller(), holder.tokenSha256()))
                .toList();
    }

    @Override
    public CompletionStage<Answer> authenticate(HttpRequest request) {
        return token(request)
                .map(this::answer)
                .orElseGet(() -> CompletableFuture.completedStage(new Answer.Refused(Denial.NO_TOKEN)));
    }

    private CompletionStage<Answer> answer(String token) {
        Optional<Caller> holder = holder(token);
        if (holder.isPresent()) {
            return CompletableFuture.completedStage(new Answer.Known(holder.get()));
        }
        return signed.filter(_ -> JwtTokens.looksLikeOne(token))
                .<CompletionStage<Answer>>map(tokens -> tokens.check(token).thenApply(BearerTokens::answer))
                .orElseGet(() -> CompletableFuture.completedStage(new Answer.Refused(Denial.UNKNOWN_TOKEN)));
    }

    private static Answer answer(JwtTokens.Verdict verdict) {
        return switch (verdict) {
            case JwtTokens.Verdict.Stands(Caller caller) -> new Answer.Known(caller);
            case JwtTokens.Verdict.Refused(Denial why) -> new Answer.Refused(why);
            case JwtTokens.Verdict.KeysAway() -> new Answer.Unsure();
        };
    }

    @Override
    public void close() {
        signed.ifPresent(JwtTokens::close);
    }

    /** The bearer token of a request, if it has one. */
    static Optional<String> token(HttpRequest request) {
        return request.getHeader("Authorization").map(HttpHeader::value).flatMap(BearerTokens::token);
    }

    private static Optional<String> token(String authorization) {
        if (!authorization.toLowerCase(Locale.ROOT).startsWith("bearer ")) {
            return Optional.empty();
        }
        String token = authorization.substring("bearer ".length()).strip();
        return token.isEmpty() ? Optional.empty() : Optional.of(token);
    }

    private Optional<Caller> holder(String token) {
        byte[] presented = bytes(sha256(token));
        Optional<Caller> found = Optional.empty();
        for (Known candidate : known) {
            // No early exit: the time must not tell which of them it was.
            if (MessageDigest.isEqual(bytes(candidate.sha256()), presented)) {
                found = Optional.of(candidate.caller());
            }
        }
        return found;
    }

    private static byte[] bytes(String hex) {
        return hex.getBytes(StandardCharsets.US_ASCII);
    }

    private static String sha256(String token) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
