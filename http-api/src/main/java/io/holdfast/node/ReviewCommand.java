package io.holdfast.node;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reservations that wait for a person. Carried out by a node that runs; who asks it is written to the journal. */
@Command(
        name = "review",
        mixinStandardHelpOptions = true,
        description = "Reservations that wait for a person: which, why, and how they go on.")
final class ReviewCommand {

    private static final String WAITING = "/v1/reservations?status=MANUAL_REVIEW&limit=100";

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Those that wait, newest first: why, what is kept, and what may be decided.")
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
            @Parameters(paramLabel = "RESERVATION", description = "Its id.") String reservation,
            @Option(names = "--reason", required = true, description = "Why; kept in its journal.") String reason)
            throws IOException, InterruptedException {
        JsonNode now = node.api(config.load()).post(path(reservation, "freeze"), Map.of("reason", reason), key());
        tell(now, System.out);
        return ExitCode.OK;
    }

    @Command(
            name = "resolve",
            mixinStandardHelpOptions = true,
            description =
                    "Ends a review. CONTINUE: the kept state stands, and goes on. CONFIRMED, CANCELED, REFUNDED: it has"
                            + " ended like this, and nothing more moves; reconciliation brings Redis to it.")
    int resolve(
            @Mixin ConfigOption config,
            @Mixin NodeOptions node,
            @Parameters(paramLabel = "RESERVATION", description = "Its id.") String reservation,
            @Option(
                            names = "--as",
                            required = true,
                            paramLabel = "RESOLUTION",
                            description = "One of those that `review list` names.")
                    String resolution,
            @Option(names = "--reason", required = true, description = "Why; kept in its journal.") String reason)
            throws IOException, InterruptedException {
        JsonNode now = node.api(config.load())
                .post(
                        path(reservation, "resolve"),
                        Map.of("resolution", resolution.toUpperCase(Locale.ROOT), "reason", reason),
                        key());
        tell(now, System.out);
        return ExitCode.OK;
    }

    private static String path(String reservation, String action) {
        return "/v1/reservations/" + reservation + "/" + action;
    }

    private static String key() {
        return UUID.randomUUID().toString();
    }

    private static void tell(JsonNode reservation, PrintStream out) {
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
            List<String> allowed = new ArrayList<>();
            review.path("resolutions").forEach(one -> allowed.add(one.asText()));
            JsonNode evidence = review.path("evidence");
            out.printf(
                    "      %s: %s%s%n      kept %s; may be resolved as %s%n",
                    review.path("trigger").asText(),
                    review.path("reason").asText(),
                    evidence.isEmpty() ? "" : " " + evidence,
                    review.path("kept_status").asText(),
                    String.join(", ", allowed));
        }
    }
}
