package io.holdfast.http.route;

import io.holdfast.messaging.follow.Followers;
import java.time.Duration;

/**
 * What streams of events are served from.
 *
 * @param followers where the journal is followed
 * @param source where events of this fleet come from, as CloudEvents name it
 * @param heartbeat after so long without an event a stream says that it is still there, and how far it has come
 * @param stall a caller that takes nothing for so long is cut off
 * @param longest a stream ends after so long, to be resumed
 */
public record StreamParts(Followers followers, String source, Duration heartbeat, Duration stall, Duration longest) {}
