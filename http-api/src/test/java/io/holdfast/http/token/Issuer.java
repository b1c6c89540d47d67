package io.holdfast.http.token;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** An issuer of tokens on a loopback port: shows the keys it is told to, and counts how often it is asked. */
public final class Issuer implements AutoCloseable {

    /** Keys that exist before any test, since they take long to make. */
    public static final RSAKey RSA = rsa("rsa-1");

    /** Another one. */
    public static final RSAKey OTHER_RSA = rsa("rsa-2");

    /** One on a curve. */
    public static final ECKey EC = ec("ec-1");

    private final HttpServer server;
    private volatile List<JWK> shown;
    private volatile int status = 200;
    private final AtomicInteger asked = new AtomicInteger();

    /** Shows these. */
    public Issuer(JWK... keys) {
        this.shown = List.of(keys);
        try {
            this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        server.createContext("/keys", exchange -> {
            asked.incrementAndGet();
            byte[] set = new JWKSet(shown).toPublicJWKSet().toString().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, set.length);
            exchange.getResponseBody().write(set);
            exchange.close();
        });
        server.start();
    }

    /** Where its keys are. */
    public URI keys() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/keys");
    }

    /** How often it was asked. */
    int asked() {
        return asked.get();
    }

    void show(JWK... keys) {
        shown = List.of(keys);
    }

    /** Answers with this from now on. */
    public void answer(int status) {
        this.status = status;
    }

    /** A token signed with a key by an algorithm. */
    public static String sign(JWK key, JWSAlgorithm algorithm, JWTClaimsSet claims) {
        return sign(signer(key), new JWSHeader.Builder(algorithm).keyID(key.getKeyID()), claims);
    }

    static String sign(JWSSigner signer, JWSHeader.Builder header, JWTClaimsSet claims) {
        try {
            SignedJWT jwt = new SignedJWT(header.build(), claims);
            jwt.sign(signer);
            return jwt.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The public key taken for the secret of a symmetric signature. */
    static String confused(RSAKey key, JWTClaimsSet claims) {
        try {
            byte[] secret = key.toRSAPublicKey().getEncoded();
            return sign(new MACSigner(secret), new JWSHeader.Builder(JWSAlgorithm.HS256).keyID(key.getKeyID()), claims);
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    static JWSHeader.Builder typed(JWK key, String type) {
        return new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(key.getKeyID()).type(new JOSEObjectType(type));
    }

    static JWSSigner signer(JWK key) {
        try {
            return key instanceof ECKey ec ? new ECDSASigner(ec) : new RSASSASigner(key.toRSAKey());
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static RSAKey rsa(String id) {
        try {
            return new RSAKeyGenerator(2048).keyID(id).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ECKey ec(String id) {
        try {
            return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
