package io.holdfast.node;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Payments of the built-in order service. Carried out by a node that runs. */
@Command(name = "payments", mixinStandardHelpOptions = true, description = "Payments of the built-in order service.")
final class PaymentsCommand {

    @Command(
            name = "reconcile",
            mixinStandardHelpOptions = true,
            description =
                    "Holds the provider's statement against the payments on record, and prints every difference with"
                            + " both sides. Exit code 1 when something differs that was not put right.")
    int reconcile(
            @Mixin ConfigOption config,
            @Mixin NodeOptions node,
            @Option(
                            names = "--from",
                            required = true,
                            description = "Payments made from then on, such as 2026-11-29T00:00:00Z.")
                    Instant from,
            @Option(names = "--to", required = true, description = "And before this; at most 31 days later.")
                    Instant to,
            @Option(names = "--repair", description = "Has orders told of payments that nobody told them of.")
                    boolean repair)
            throws IOException, InterruptedException {
        JsonNode report = node.api(config.load())
                .post(
                        "/v1/payment-reconciliations",
                        Map.of("from", from.toString(), "to", to.toString(), "mode", repair ? "repair" : "dry-run"));
        for (JsonNode one : report.path("findings")) {
            System.out.printf(
                    "%s %s %s order %s payment %s%n    provider  %s%n    record    %s%n",
                    one.path("type").asText(),
                    one.path("class").asText(),
                    one.path("state").asText(),
                    one.path("order_id").asText(),
                    one.path("payment_id").asText(),
                    one.path("at_provider").asText(),
                    one.path("on_record").asText());
        }
        System.out.println(report.path("compared").asText() + " compared, "
                + report.path("open").asText() + " open");
        return report.path("open").asLong() > 0 ? ExitCode.SOFTWARE : ExitCode.OK;
    }
}
