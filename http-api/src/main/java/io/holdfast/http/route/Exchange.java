package io.holdfast.http.route;

import io.holdfast.engine.machine.Cause;
import io.holdfast.http.access.Caller;
import io.holdfast.http.access.Denial;
import io.holdfast.http.access.Scope;
import io.holdfast.http.problem.ProblemCode;
import io.holdfast.json.ContentHash;
import io.holdfast.json.InputError;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;

/**
 * One request that has passed every check that does not depend on what it asks for.
 *
 * @param request as it came
 * @param path its path, as answers repeat it
 * @param traceId W3C trace id
 * @param caller who asks
 * @param boundTo the user to whom everything must belong, where the caller is an end user
 * @param preferences how long the caller waits
 * @param key the {@code Idempotency-Key}, where one was sent
 * @param query its query parameters, each once, all of them known to the endpoint
 * @param denials where it is noted that what is asked for is not the caller's
 */
record Exchange(
        HttpRequest request,
        String path,
        String traceId,
        Caller caller,
        Optional<String> boundTo,
        Preferences preferences,
        Optional<String> key,
        Map<String, String> query,
        Consumer<Denial> denials) {

    /** The merchant or activity of a pool's id, whatever follows. */
    static String merchantOf(String pool) {
        int colon = pool.indexOf(':');
        return colon < 0 ? pool : pool.substring(0, colon);
    }

    /** Whose stock the caller may see and touch. */
    Scope scope() {
        return caller.scope();
    }

    /** Whether there is anything the caller may not see. */
    boolean limited() {
        return boundTo.isPresent() || scope().merchants().isPresent();
    }

    /** The refusal where what a request names is of another merchant. */
    Optional<HttpResponse> refusedFor(String merchant) {
        return scope().covers(merchant) ? Optional.empty() : Optional.of(forbidden(Denial.MERCHANT));
    }

    /** The refusal where an end user names another user, or none. */
    Optional<HttpResponse> refusedForUser(Optional<String> user) {
        return boundTo.isEmpty() || user.equals(boundTo) ? Optional.empty() : Optional.of(forbidden(Denial.USER));
    }

    /** Notes that what was asked for is hidden from the caller. */
    void noteHidden() {
        denials.accept(boundTo.isPresent() ? Denial.USER : Denial.MERCHANT);
    }

    /** Notes that the caller may not do this, and says so. */
    HttpResponse forbidden(Denial why) {
        denials.accept(why);
        return Endpoint.forbidden(path, why);
    }

    /** Why a command is given: this request, under its key or, where it has none, under one made of what it asks for. */
    Cause cause(String entityId, ContentHash content) {
        return cause(entityId, content, Cause.Kind.REQUEST);
    }

    /** The same for what a person orders. */
    Cause order(String entityId, ContentHash content) {
        return cause(entityId, content, Cause.Kind.OPERATOR);
    }

    private Cause cause(String entityId, ContentHash content, Cause.Kind kind) {
        return new Cause(
                key.orElseGet(() -> content.causeIdFor(entityId)),
                content.hex(),
                kind,
                caller.name(),
                Optional.of(traceId));
    }

    /** What is wrong where a key is demanded and none was sent. */
    Optional<InputError> keyMissing() {
        return key.isPresent()
                ? Optional.empty()
                : Optional.of(InputError.header(
                        "Idempotency-Key",
                        InputError.Code.MISSING,
                        "Send an Idempotency-Key header: the same may be wanted again later, and without a key that"
                                + " could not be told from a retry."));
    }

    /** The code as a request is answered that named what it is based on by {@code If-Match}. */
    ProblemCode asConditional(ProblemCode code) {
        return code == ProblemCode.BASELINE_CHANGED && IfMatch.isIn(request) ? ProblemCode.PRECONDITION_FAILED : code;
    }

    Duration patience() {
        return preferences.patience();
    }
}
