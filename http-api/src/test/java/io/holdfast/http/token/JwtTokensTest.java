package io.holdfast.http.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import io.holdfast.http.access.Caller;
import io.holdfast.http.access.Denial;
import io.holdfast.http.access.Role;
import io.holdfast.http.access.Scope;
import io.holdfast.http.token.JwtTokens.Verdict;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which signed tokens are believed, and what they say of their bearer. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class JwtTokensTest {

    private static final Instant NOW = Instant.parse("2026-11-30T10:00:00Z");
    private static final Duration SKEW = Duration.ofSeconds(30);

    private final Issuer issuer = new Issuer(Issuer.RSA, Issuer.EC);
    private Instant now = NOW;
    private final JwtTokens tokens = new JwtTokens(settings(issuer.keys(), Set.of("RS256", "ES256")), () -> now);

    private static JwtSettings settings(URI keys, Set<String> algorithms) {
        return new JwtSettings(
                "https://login",
                "holdfast",
                keys,
                algorithms,
                SKEW,
                Duration.ofMinutes(15),
                Duration.ofSeconds(30),
                Duration.ofHours(4),
                Duration.ofSeconds(2),
                "roles",
                "merchants");
    }

    @AfterEach
    void close() {
        tokens.close();
        issuer.close();
    }

    private static JWTClaimsSet.Builder good() {
        return new JWTClaimsSet.Builder()
                .issuer("https://login")
                .audience(List.of("else", "holdfast"))
                .subject("ada")
                .expirationTime(at(60))
                .claim("roles", List.of("operator", "unheard-of"))
                .claim("merchants", List.of("m1", "m2"));
    }

    private static Date at(long seconds) {
        return Date.from(NOW.plusSeconds(seconds));
    }

    private static String signed(UnaryOperator<JWTClaimsSet.Builder> change) {
        return Issuer.sign(Issuer.RSA, JWSAlgorithm.RS256, change.apply(good()).build());
    }

    private Verdict check(String token) {
        return tokens.check(token).toCompletableFuture().join();
    }

    private static Verdict refused(Denial why) {
        return new Verdict.Refused(why);
    }

    @Test
    void a_good_token_stands_for_its_subject_with_the_roles_and_merchants_it_names() {
        var ada = new Verdict.Stands(new Caller("ada", Set.of(Role.OPERATOR), new Scope.Only(Set.of("m1", "m2"))));
        assertThat(check(signed(claims -> claims))).isEqualTo(ada);
        assertThat(check(Issuer.sign(Issuer.EC, JWSAlgorithm.ES256, good().build())))
                .isEqualTo(ada);
        assertThat(check(Issuer.sign(Issuer.signer(Issuer.RSA), Issuer.typed(Issuer.RSA, "at+jwt"), good().build())))
                .isEqualTo(ada);
        assertThat(issuer.asked()).as("keys are kept").isEqualTo(1);
    }

    static Stream<Arguments> wrong() {
        JWTClaimsSet claims = good().build();
        String sound = signed(c -> c);
        String[] parts = sound.split("\\.");
        String[] other = signed(c -> c.subject("eve")).split("\\.");
        return Stream.of(
                Arguments.of("expired", Denial.EXPIRED_TOKEN, signed(c -> c.expirationTime(at(-31)))),
                Arguments.of("not yet", Denial.UNFIT_CLAIMS, signed(c -> c.notBeforeTime(at(31)))),
                Arguments.of("for ever", Denial.UNFIT_CLAIMS, signed(c -> c.expirationTime(null))),
                Arguments.of("of nobody", Denial.UNFIT_CLAIMS, signed(c -> c.subject(null))),
                Arguments.of("other issuer", Denial.WRONG_ISSUER, signed(c -> c.issuer("https://login.evil"))),
                Arguments.of("other issuer by a slash", Denial.WRONG_ISSUER, signed(c -> c.issuer("https://login/"))),
                Arguments.of("no issuer", Denial.WRONG_ISSUER, signed(c -> c.issuer(null))),
                Arguments.of("other audience", Denial.WRONG_AUDIENCE, signed(c -> c.audience("else"))),
                Arguments.of("no audience", Denial.WRONG_AUDIENCE, signed(c -> c.audience((String) null))),
                Arguments.of("not signed", Denial.MALFORMED_TOKEN, new PlainJWT(claims).serialize()),
                Arguments.of(
                        "not signed, signature of another",
                        Denial.MALFORMED_TOKEN,
                        new PlainJWT(claims).serialize().split("\\.")[0] + "." + parts[1] + "." + parts[2]),
                Arguments.of("public key as secret", Denial.WRONG_ALGORITHM, Issuer.confused(Issuer.RSA, claims)),
                Arguments.of(
                        "algorithm not taken",
                        Denial.WRONG_ALGORITHM,
                        Issuer.sign(Issuer.RSA, JWSAlgorithm.PS256, claims)),
                Arguments.of(
                        "algorithm of another kind of key",
                        Denial.UNKNOWN_KEY,
                        Issuer.sign(
                                Issuer.signer(Issuer.EC),
                                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("rsa-1"),
                                claims)),
                Arguments.of(
                        "key of somebody else",
                        Denial.UNKNOWN_KEY,
                        Issuer.sign(Issuer.OTHER_RSA, JWSAlgorithm.RS256, claims)),
                Arguments.of(
                        "key of somebody else under a known name",
                        Denial.BAD_SIGNATURE,
                        Issuer.sign(
                                Issuer.signer(Issuer.OTHER_RSA),
                                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("rsa-1"),
                                claims)),
                Arguments.of(
                        "brings its own key",
                        Denial.BAD_SIGNATURE,
                        Issuer.sign(
                                Issuer.signer(Issuer.OTHER_RSA),
                                new JWSHeader.Builder(JWSAlgorithm.RS256)
                                        .keyID("rsa-1")
                                        .jwk(Issuer.OTHER_RSA.toPublicJWK()),
                                claims)),
                Arguments.of("claims of another", Denial.BAD_SIGNATURE, parts[0] + "." + other[1] + "." + parts[2]),
                Arguments.of("signature cut off", Denial.MALFORMED_TOKEN, parts[0] + "." + parts[1] + "."),
                Arguments.of(
                        "another type of document",
                        Denial.UNKNOWN_KEY,
                        Issuer.sign(Issuer.signer(Issuer.RSA), Issuer.typed(Issuer.RSA, "logout+jwt"), claims)),
                Arguments.of("garbage", Denial.MALFORMED_TOKEN, "a.b.c"),
                Arguments.of("nothing between dots", Denial.MALFORMED_TOKEN, ".."),
                Arguments.of("subject with a line break", Denial.NO_SUBJECT, signed(c -> c.subject("a\nb"))),
                Arguments.of("blank subject", Denial.NO_SUBJECT, signed(c -> c.subject(" "))),
                Arguments.of("endless subject", Denial.NO_SUBJECT, signed(c -> c.subject("a".repeat(65)))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrong")
    void a_wrong_token_is_refused_for_what_is_wrong_with_it(String name, Denial why, String token) {
        assertThat(check(token)).as(name).isEqualTo(refused(why));
    }

    @Test
    void clocks_may_differ_as_far_as_is_set_and_no_further() {
        assertThat(check(signed(c -> c.expirationTime(at(-29))))).isInstanceOf(Verdict.Stands.class);
        assertThat(check(signed(c -> c.notBeforeTime(at(29))))).isInstanceOf(Verdict.Stands.class);
    }

    @Test
    void only_algorithms_with_a_public_key_can_be_set() {
        for (String algorithm : List.of("HS256", "none", "RS256 ", "EdDSA", "")) {
            assertThatThrownBy(() -> settings(issuer.keys(), Set.of("RS256", algorithm)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> settings(issuer.keys(), Set.of())).isInstanceOf(IllegalArgumentException.class);
    }

    static Stream<Arguments> bearers() {
        return Stream.of(
                Arguments.of(Map.of("roles", "client auditor", "merchants", "m1 m2"), "client,auditor", "m1,m2"),
                Arguments.of(Map.of("roles", List.of("admin"), "merchants", List.of("*")), "admin", "*"),
                Arguments.of(Map.of("roles", List.of("operator")), "operator", ""),
                Arguments.of(Map.of("roles", List.of("user")), "user", "*"),
                Arguments.of(Map.of("roles", List.of("user"), "merchants", List.of("m1")), "user", "m1"),
                Arguments.of(Map.of("roles", List.of("user", "client")), "client,user", ""),
                Arguments.of(Map.of("roles", List.of("ADMIN", "root", 7)), "", ""),
                Arguments.of(Map.of("roles", 7, "merchants", Map.of("m1", true)), "", ""),
                Arguments.of(Map.of(), "", ""));
    }

    @ParameterizedTest
    @MethodSource("bearers")
    void roles_and_merchants_are_those_the_token_names_and_none_else(
            Map<String, Object> claims, String roles, String merchants) {
        Verdict verdict = check(signed(c -> {
            c.claim("roles", null).claim("merchants", null);
            claims.forEach(c::claim);
            return c;
        }));
        Set<Role> expected = EnumSet.noneOf(Role.class);
        Stream.of(roles.split(","))
                .filter(word -> !word.isEmpty())
                .forEach(word -> expected.add(Role.valueOf(word.toUpperCase(java.util.Locale.ROOT))));
        Scope scope = merchants.isEmpty() ? new Scope.Only(Set.of()) : Scope.of(List.of(merchants.split(",")));
        assertThat(verdict).isEqualTo(new Verdict.Stands(new Caller("ada", expected, scope)));
    }

    @Test
    void claims_may_lie_within_objects() {
        var deep = settings(issuer.keys(), Set.of("RS256"));
        try (var inner = new JwtTokens(
                new JwtSettings(
                        deep.issuer(),
                        deep.audience(),
                        deep.keys(),
                        deep.algorithms(),
                        deep.skew(),
                        deep.keep(),
                        deep.atMostEvery(),
                        deep.outage(),
                        deep.timeout(),
                        "realm_access.roles",
                        "https://shop.example/merchants"),
                () -> NOW)) {
            String token = signed(c -> c.claim("realm_access", Map.of("roles", List.of("client")))
                    .claim("https://shop.example/merchants", List.of("m9")));
            assertThat(inner.check(token).toCompletableFuture().join())
                    .isEqualTo(
                            new Verdict.Stands(new Caller("ada", Set.of(Role.CLIENT), new Scope.Only(Set.of("m9")))));
        }
    }

    @Test
    void a_new_key_is_fetched_at_once_and_made_up_ones_do_not_load_the_issuer() {
        assertThat(check(signed(c -> c))).isInstanceOf(Verdict.Stands.class);
        issuer.show(Issuer.OTHER_RSA);
        assertThat(check(Issuer.sign(Issuer.OTHER_RSA, JWSAlgorithm.RS256, good().build())))
                .isInstanceOf(Verdict.Stands.class);
        assertThat(check(signed(c -> c))).as("a key that is not shown any more").isEqualTo(refused(Denial.UNKNOWN_KEY));
        for (int i = 0; i < 20; i++) {
            assertThat(check(Issuer.sign(
                            Issuer.signer(Issuer.RSA),
                            new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("made-up-" + i),
                            good().build())))
                    .isEqualTo(refused(Denial.UNKNOWN_KEY));
        }
        assertThat(issuer.asked()).isLessThanOrEqualTo(3);
        assertThat(check(Issuer.sign(Issuer.OTHER_RSA, JWSAlgorithm.RS256, good().build())))
                .as("those who have a good one do not suffer")
                .isInstanceOf(Verdict.Stands.class);
    }

    @Test
    void a_token_that_is_known_is_proved_no_more_while_it_lasts_and_its_key_counts() {
        String token = signed(c -> c);
        assertThat(check(token)).isInstanceOf(Verdict.Stands.class);
        assertThat(check(token)).isInstanceOf(Verdict.Stands.class);
        var again = tokens.check(token).toCompletableFuture();
        assertThat(again.isDone()).as("no thread is asked").isTrue();
        assertThat(again.join()).isEqualTo(check(token));

        now = NOW.plusSeconds(91);
        assertThat(check(token)).isEqualTo(refused(Denial.EXPIRED_TOKEN));
        now = NOW;
        assertThat(check(token)).isInstanceOf(Verdict.Stands.class);
        issuer.show(Issuer.OTHER_RSA);
        assertThat(check(Issuer.sign(Issuer.OTHER_RSA, JWSAlgorithm.RS256, good().build())))
                .as("has the keys fetched anew")
                .isInstanceOf(Verdict.Stands.class);
        assertThat(check(token)).as("its key is not shown any more").isEqualTo(refused(Denial.UNKNOWN_KEY));
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 404})
    void without_keys_nothing_can_be_said_and_that_passes(int status) {
        issuer.answer(status);
        assertThat(check(signed(c -> c))).isEqualTo(new Verdict.KeysAway());
        assertThat(check(signed(c -> c))).isEqualTo(new Verdict.KeysAway());
        assertThat(check(signed(c -> c))).as("not asked for so soon").isEqualTo(new Verdict.KeysAway());
    }

    @Test
    void an_issuer_that_is_gone_leaves_those_in_whose_keys_are_known() {
        assertThat(check(signed(c -> c))).isInstanceOf(Verdict.Stands.class);
        issuer.close();
        assertThat(check(signed(c -> c))).isInstanceOf(Verdict.Stands.class);
        assertThat(check(Issuer.sign(Issuer.OTHER_RSA, JWSAlgorithm.RS256, good().build())))
                .isInstanceOfAny(Verdict.KeysAway.class, Verdict.Refused.class);
    }
}
