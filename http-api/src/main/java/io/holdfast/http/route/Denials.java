package io.holdfast.http.route;

import io.holdfast.http.access.ApiRoute;
import io.holdfast.http.access.Caller;
import io.holdfast.http.access.Denial;
import io.holdfast.http.metrics.HttpMetrics;
import java.util.Optional;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Keeps account of calls that were not let through: a line of the log each, and a count by reason. Never the token. Callers
 * that are too fast are counted, and written where debugging is on: they would fill the log. */
final class Denials {

    private static final Logger LOG = LoggerFactory.getLogger(Denials.class);

    private final HttpMetrics metrics;

    Denials(HttpMetrics metrics) {
        this.metrics = metrics;
    }

    /** A call was not let through. */
    void note(HttpRequest request, ApiRoute route, Optional<Caller> caller, Denial why) {
        metrics.denied(why);
        String who = caller.map(Caller::name).orElse("");
        LOG.atLevel(why == Denial.RATE ? Level.DEBUG : Level.WARN)
                .addKeyValue("caller", who)
                .addKeyValue("denied", why.word())
                .addKeyValue("route", route.name())
                .addKeyValue("path", Endpoint.path(request))
                .addKeyValue("trace_id", Endpoint.trace(request))
                .log(
                        "{} {} was denied to {}: {}",
                        route.method(),
                        route.template(),
                        who.isEmpty() ? "a caller" : who,
                        why.word());
    }
}
