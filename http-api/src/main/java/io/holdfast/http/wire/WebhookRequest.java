package io.holdfast.http.wire;

import io.holdfast.json.ContentHash;
import io.holdfast.json.Fields;
import io.holdfast.json.InputError.Code;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.Parsed;
import io.holdfast.messaging.follow.Place;
import io.holdfast.messaging.out.AnnouncedTypes;
import io.holdfast.messaging.webhook.WebhookFilter;
import io.holdfast.messaging.webhook.WebhookSignature;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Bodies of what is asked about webhooks. */
public final class WebhookRequest {

    private static final int LONGEST_URL = 2048;
    private static final int LONGEST_DESCRIPTION = 256;
    private static final int LONGEST_REASON = 256;
    private static final int MOST_TYPES = 64;
    private static final String URL_SYNTAX = "an absolute http or https address, without user or fragment";
    private static final String SECRET_SYNTAX = "24 to 64 bytes in Base64, with or without whsec_ before it";

    private WebhookRequest() {}

    /**
     * Body of {@code POST /v1/webhooks}.
     *
     * @param secret to sign with; empty to have one made
     */
    public record Create(
            URI url, Set<String> types, Optional<String> pool, String description, Optional<byte[]> secret) {

        /** Reads a body. */
        public static Parsed<Create> parse(ObjectValue body) {
            var fields = new Fields(body);
            var url = fields.optionalString("url", WebhookRequest::url, URL_SYNTAX);
            var types = fields.optionalStrings(
                    "types",
                    MOST_TYPES,
                    text -> AnnouncedTypes.ALL.contains(text) ? Optional.of(text) : Optional.empty(),
                    "one of " + String.join(", ", AnnouncedTypes.ALL));
            var pool = fields.optionalString("pool", Pools::known, Pools.SYNTAX);
            var description = fields.optionalText("description", LONGEST_DESCRIPTION);
            var secret = fields.optionalString("secret", WebhookSignature::secret, SECRET_SYNTAX);
            if (!fields.has("url")) {
                fields.fault("url", Code.MISSING, "This is required.");
            }
            return fields.into(() -> new Create(
                    url.get().orElseThrow(),
                    new TreeSet<>(types.get().orElse(List.of())),
                    pool.get().map(id -> id.value()),
                    description.get().orElse(""),
                    secret.get()));
        }

        /** What it is about, for a caller that may see these. */
        public WebhookFilter about(Optional<Set<String>> merchants) {
            return new WebhookFilter(types, pool, merchants);
        }

        /** What it says, its secret apart: that is never told again, so nothing is made of it. */
        public ContentHash content() {
            return ContentHash.of("create-webhook")
                    .with("url", url.toString())
                    .with("types", String.join(",", types))
                    .with("pool", pool.orElse(""))
                    .with("description", description);
        }

        @Override
        public String toString() {
            return "Create[" + url + "]";
        }
    }

    /** Body of {@code POST /v1/webhooks/{id}/secrets}. */
    public record AddSecret(Optional<byte[]> secret) {
        /** Reads a body. */
        public static Parsed<AddSecret> parse(ObjectValue body) {
            var fields = new Fields(body);
            var secret = fields.optionalString("secret", WebhookSignature::secret, SECRET_SYNTAX);
            return fields.into(() -> new AddSecret(secret.get()));
        }

        @Override
        public String toString() {
            return "AddSecret[]";
        }
    }

    /** Body of {@code POST /v1/webhooks/{id}/disable}. */
    public record Disable(String reason) {
        /** Reads a body. */
        public static Parsed<Disable> parse(ObjectValue body) {
            var fields = new Fields(body);
            var reason = fields.optionalText("reason", LONGEST_REASON);
            if (!fields.has("reason")) {
                fields.fault("reason", Code.MISSING, "Say why.");
            }
            return fields.into(() -> new Disable(reason.get().orElseThrow()));
        }
    }

    /** Body of {@code POST /v1/webhooks/{id}/replay}. */
    public record Replay(Place from) {
        /** Reads a body. */
        public static Parsed<Replay> parse(ObjectValue body) {
            var fields = new Fields(body);
            var from = fields.optionalString("from", Place::parse, "the id of an event of a stream, or of a delivery");
            if (!fields.has("from")) {
                fields.fault("from", Code.MISSING, "This is required.");
            }
            return fields.into(() -> new Replay(from.get().orElseThrow()));
        }
    }

    private static Optional<URI> url(String text) {
        if (text.length() > LONGEST_URL) {
            return Optional.empty();
        }
        try {
            URI url = new URI(text);
            String scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
            boolean usable = (scheme.equals("https") || scheme.equals("http"))
                    && url.getHost() != null
                    && url.getRawUserInfo() == null
                    && url.getRawFragment() == null
                    && url.getPort() <= 65535;
            return usable ? Optional.of(url) : Optional.empty();
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }
}
