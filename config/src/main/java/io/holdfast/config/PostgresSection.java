package io.holdfast.config;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * {@code holdfast.postgres}.
 *
 * @param url JDBC URL
 * @param user who writes journals
 * @param owner who migrates the schema
 * @param projector who reads journals and keeps views
 * @param decider who decides orders, payments and final stock
 * @param migrate whether this node migrates at start
 * @param pools how many connections, and what they may take
 * @param journal how journals are written
 * @param startPatience how long start-up waits for the stores
 * @param connectTimeout for one connection
 * @param durability what must be on disk before a commit counts
 */
public record PostgresSection(
        String url,
        Login user,
        Login owner,
        Login projector,
        Login decider,
        boolean migrate,
        Pools pools,
        JournalSection journal,
        Duration startPatience,
        Duration connectTimeout,
        Durability durability) {

    /** A role and its password, which may be empty. */
    public record Login(String user, Secret password) {}

    /**
     * How many connections, and what they may take.
     *
     * @param journal connections of the write side, with the stock journal
     * @param views connections of queries; the loops of the read side have their own
     * @param statementTimeout of the read side
     * @param transactionTimeout of the read side
     */
    public record Pools(int journal, int views, Duration statementTimeout, Duration transactionTimeout) {
        static Pools read(SettingsReader reader) {
            var pools = new Pools(
                    reader.integer("journal-connections", 1, 100),
                    reader.integer("view-connections", 2, 100),
                    reader.duration("statement-timeout", Duration.ofMillis(100), Duration.ofMinutes(10)),
                    reader.duration("transaction-timeout", Duration.ofMillis(100), Duration.ofHours(1)));
            reader.atLeast(
                    "transaction-timeout", pools.transactionTimeout(), "statement-timeout", pools.statementTimeout());
            return pools;
        }
    }

    /** Where a commit is on disk before it counts. */
    public enum Durability {
        /** On the primary. */
        LOCAL,
        /** On the primary and a standby: the loss of one machine loses nothing. */
        SYNCHRONOUS
    }

    private static final String SCHEME = "jdbc:postgresql:";
    private static final Set<String> ENCRYPTED = Set.of("require", "verify-ca", "verify-full");

    static PostgresSection read(SettingsReader reader) {
        String url = reader.text("url");
        if (!url.startsWith(SCHEME)) {
            throw reader.bad("url", "a JDBC URL that begins with " + SCHEME + "//");
        }
        Map<String, String> options = options(url);
        if (options.containsKey("password") || options.containsKey("user")) {
            throw reader.complaint(
                    "url", "user and password have settings of their own, where a password is kept out of logs");
        }
        if ("false".equals(options.get("raiseExceptionOnSilentRollback"))) {
            throw reader.complaint(
                    "url",
                    "raiseExceptionOnSilentRollback=false reports commits that were rolled back as done; remove it");
        }
        var user = new Login(reader.text("user"), reader.secret("password"));
        return new PostgresSection(
                url,
                user,
                login(reader, "owner", user),
                login(reader, "projector", user),
                login(reader, "decider", user),
                reader.flag("migrate"),
                Pools.read(reader),
                JournalSection.read(reader.section("journal")),
                reader.duration("start-patience", Duration.ZERO, Duration.ofHours(24)),
                reader.duration("connect-timeout", Duration.ofMillis(100), Duration.ofMinutes(1)),
                reader.choice("durability", Durability.class));
    }

    private static Login login(SettingsReader reader, String name, Login otherwise) {
        var user = reader.optionalText(name);
        var password = reader.secret(name + "-password");
        if (user.isEmpty() && !password.isEmpty()) {
            throw reader.complaint(name, "a password is set for it, but no role");
        }
        return user.map(role -> new Login(role, password)).orElse(otherwise);
    }

    /** True when the URL insists on TLS. */
    public boolean encrypted() {
        return ENCRYPTED.contains(options(url).getOrDefault("sslmode", ""));
    }

    private static Map<String, String> options(String url) {
        Map<String, String> options = new LinkedHashMap<>();
        int question = url.indexOf('?');
        if (question >= 0) {
            for (String option : url.substring(question + 1).split("&", -1)) {
                String[] parts = option.split("=", 2);
                options.put(parts[0], parts.length == 2 ? URLDecoder.decode(parts[1], StandardCharsets.UTF_8) : "");
            }
        }
        return options;
    }
}
