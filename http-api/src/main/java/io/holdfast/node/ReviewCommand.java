package io.holdfast.node;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reservations and compensations that wait for a person. Carried out by a node that runs; who asks it is written to the journal. */
@Command(
        name = "review",
        mixinStandardHelpOptions = true,
        description =
                "Reservations, compensations, and anomalies that wait for a person, dead letters among them: which,"
                        + " why, and how they go on.")
final class ReviewCommand {

    private static final String WAITING = "/v1/reservations?status=MANUAL_REVIEW&limit=100";
    private static final String CONTRADICTED = "/v1/compensations?status=MANUAL&limit=100";
    private static final String FOUND = "/v1/anomalies?class=MANUAL&open=true&limit=100";

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Those that wait: why, what is kept, and what may be decided.")
    int list(@Mixin ConfigOption config, @Mixin NodeOptions node) throws IOException, InterruptedException {
        NodeApi api = node.api(config.load());
        long waiting = 0;
        for (String page = WAITING; !page.isEmpty(); ) {
            JsonNode found = api.get(page);
            for (JsonNode reservation : found.path("reservations")) {
                waiting++;
                tell(reservation, System.out);
            }
            page = found.path("next").asText("");
        }
        for (String page = CONTRADICTED; !page.isEmpty(); ) {
            JsonNode found = api.get(page);
            for (JsonNode compensation : found.path("compensations")) {
                waiting++;
                tell(compensation, System.out);
            }
            page = found.path("next").asText("");
        }
        for (String page = FOUND; !page.isEmpty(); ) {
            JsonNode found = api.get(page);
            for (JsonNode anomaly : found.path("anomalies")) {
                waiting++;
                tellAnomaly(anomaly, System.out);
            }
            page = found.path("next").asText("");
        }
        System.out.println(waiting + " waiting");
        return ExitCode.OK;
    }

    @Command(
            name = "freeze",
            mixinStandardHelpOptions = true,
            description = "Stops one: what it owes pauses, and news of its order is kept, until it is resolved.")
    int freeze(
            @Mixin ConfigOption config,
            @Mixin NodeOptions node,
            @Parameters(paramLabel = "ID", description = "Of a reservation, or the key of a compensation.") String id,
            @Option(names = "--reason", required = true, description = "Why; kept in its journal.") String reason)
            throws IOException, InterruptedException {
        JsonNode now = node.api(config.load()).post(path(id, "freeze"), Map.of("reason", reason), key());
        tell(now, System.out);
        return ExitCode.OK;
    }

    @Command(
            name = "resolve",
            mixinStandardHelpOptions = true,
            description =
                    "Ends a review. Of a reservation, CONTINUE: the kept state stands, and goes on. Of a compensation,"
                        + " AGAIN: the script is asked again. CONFIRMED, CANCELED, REFUNDED: it has ended like this,"
                        + " and nothing more moves; reconciliation brings Redis to it. Where two persons must decide,"
                        + " this proposes, and somebody else approves.")
    int resolve(
            @Mixin ConfigOption config,
            @Mixin NodeOptions node,
            @Parameters(paramLabel = "ID", description = "Of a reservation, or the key of a compensation.") String id,
            @Option(
                            names = "--as",
                            required = true,
                            paramLabel = "RESOLUTION",
                            description = "One of those that `review list` names.")
                    String resolution,
            @Option(names = "--reason", required = true, description = "Why; kept in its journal.") String reason,
            @Option(
                            names = "--incident",
                            paramLabel = "NUMBER",
                            description = "Number of the incident; a compensation needs one.")
                    Optional<String> incident)
            throws IOException, InterruptedException {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("resolution", resolution.toUpperCase(Locale.ROOT));
        body.put("reason", reason);
        incident.ifPresent(number -> body.put("incident", number));
        tell(node.api(config.load()).post(path(id, "resolve"), body, key()), System.out);
        return ExitCode.OK;
    }

    @Command(
            name = "approve",
            mixinStandardHelpOptions = true,
            description = "Agrees, as a second person, to what was proposed for a compensation.")
    int approve(
            @Mixin ConfigOption config,
            @Mixin NodeOptions node,
            @Parameters(paramLabel = "KEY", description = "Of the compensation.") String key,
            @Option(
                            names = "--as",
                            required = true,
                            paramLabel = "RESOLUTION",
                            description = "What was proposed; anything else is refused.")
                    String resolution,
            @Option(names = "--reason", required = true, description = "Why; kept in its journal.") String reason)
            throws IOException, InterruptedException {
        Map<String, Object> body = Map.of("resolution", resolution.toUpperCase(Locale.ROOT), "reason", reason);
        tell(node.api(config.load()).post(path(key, "approve"), body, key()), System.out);
        return ExitCode.OK;
    }

    @Command(
            name = "decline",
            mixinStandardHelpOptions = true,
            description = "Takes a proposal for a compensation off the table.")
    int decline(
            @Mixin ConfigOption config,
            @Mixin NodeOptions node,
            @Parameters(paramLabel = "KEY", description = "Of the compensation.") String key,
            @Option(names = "--reason", required = true, description = "Why; kept in its journal.") String reason)
            throws IOException, InterruptedException {
        tell(node.api(config.load()).post(path(key, "decline"), Map.of("reason", reason), key()), System.out);
        return ExitCode.OK;
    }

    /** No reservation's id has a colon, every compensation's key has one. */
    private static String path(String id, String action) {
        return (id.contains(":") ? "/v1/compensations/" : "/v1/reservations/") + id + "/" + action;
    }

    private static String key() {
        return UUID.randomUUID().toString();
    }

    private static void tell(JsonNode told, PrintStream out) {
        if (told.has("compensation")) {
            tellCompensation(told, out);
        } else {
            tellReservation(told, out);
        }
    }

    private static void tellCompensation(JsonNode compensation, PrintStream out) {
        out.printf(
                "%s  %s  %s of %s%n",
                compensation.path("compensation").asText(),
                compensation.path("status").asText(),
                compensation.path("quantity").asText("?"),
                compensation.path("pool").asText("no pool"));
        JsonNode manual = compensation.path("manual");
        if (!manual.isMissingNode()) {
            JsonNode evidence = manual.path("evidence");
            out.printf(
                    "      %s: %s%s%n      may be resolved as %s%n",
                    manual.path("trigger").asText(),
                    manual.path("answer").asText(),
                    evidence.isEmpty() ? "" : " " + evidence,
                    joined(manual.path("resolutions")));
            JsonNode proposal = manual.path("proposal");
            if (!proposal.isMissingNode()) {
                out.printf(
                        "      %s proposes %s: %s; somebody else must approve%n",
                        proposal.path("by").asText(),
                        proposal.path("resolution").asText(),
                        proposal.path("reason").asText());
            }
        }
    }

    private static void tellAnomaly(JsonNode anomaly, PrintStream out) {
        JsonNode evidence = anomaly.path("evidence");
        out.printf(
                "%s  %s  %s%n      %s%n",
                anomaly.path("id").asText(),
                anomaly.path("type").asText(),
                anomaly.path("summary").asText(),
                evidence);
        if (evidence.has("command")) {
            out.printf("      once it is mended: %s%n", evidence.path("command").asText());
        }
    }

    private static String joined(JsonNode texts) {
        List<String> all = new ArrayList<>();
        texts.forEach(one -> all.add(one.asText()));
        return all.isEmpty() ? "nothing here" : String.join(", ", all);
    }

    private static void tellReservation(JsonNode reservation, PrintStream out) {
        JsonNode terms = reservation.path("terms");
        out.printf(
                "%s  %s  order %s  %s of %s%n",
                reservation.path("reservation_id").asText(),
                reservation.path("status").asText(),
                terms.path("order_id").asText("unknown"),
                terms.path("quantity").asText("?"),
                terms.path("pool").asText("no pool"));
        JsonNode review = reservation.path("review");
        if (!review.isMissingNode()) {
            JsonNode evidence = review.path("evidence");
            out.printf(
                    "      %s: %s%s%n      kept %s; may be resolved as %s%n",
                    review.path("trigger").asText(),
                    review.path("reason").asText(),
                    evidence.isEmpty() ? "" : " " + evidence,
                    review.path("kept_status").asText(),
                    joined(review.path("resolutions")));
        }
    }
}
