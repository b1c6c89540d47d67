package io.holdfast.http.route;

import java.time.Duration;
import org.apache.pekko.NotUsed;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.BidiShape;
import org.apache.pekko.stream.Inlet;
import org.apache.pekko.stream.Outlet;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.stage.AbstractInHandler;
import org.apache.pekko.stream.stage.AbstractOutHandler;
import org.apache.pekko.stream.stage.AsyncCallback;
import org.apache.pekko.stream.stage.GraphStage;
import org.apache.pekko.stream.stage.GraphStageLogic;
import org.apache.pekko.stream.stage.TimerGraphStageLogic;
import org.apache.pekko.util.ByteString;

/**
 * Around one connection: ends it where the head of a request takes longer than it may, from the start of the connection or the end of the
 * answer before. The server's own limit on silence does not see a peer that sends a byte now and then.
 */
final class HeadTime extends GraphStage<BidiShape<HttpRequest, HttpRequest, HttpResponse, HttpResponse>> {

    private static final String LATE = "late";

    private final Inlet<HttpRequest> requests = Inlet.create("requests");
    private final Outlet<HttpRequest> asked = Outlet.create("asked");
    private final Inlet<HttpResponse> answered = Inlet.create("answered");
    private final Outlet<HttpResponse> responses = Outlet.create("responses");
    private final BidiShape<HttpRequest, HttpRequest, HttpResponse, HttpResponse> shape =
            BidiShape.of(requests, asked, answered, responses);
    private final Duration longest;

    HeadTime(Duration longest) {
        this.longest = longest;
    }

    @Override
    public BidiShape<HttpRequest, HttpRequest, HttpResponse, HttpResponse> shape() {
        return shape;
    }

    @Override
    public GraphStageLogic createLogic(Attributes attributes) {
        return new Logic();
    }

    private final class Logic extends TimerGraphStageLogic {

        private int open;
        private boolean waiting;
        private long since;
        private final AsyncCallback<NotUsed> ended = createAsyncCallback(_ -> closed());

        Logic() {
            super(shape);
            setHandler(requests, new AbstractInHandler() {
                @Override
                public void onPush() {
                    open++;
                    push(asked, grab(requests));
                }

                @Override
                public void onUpstreamFinish() {
                    complete(asked);
                }
            });
            setHandler(asked, new AbstractOutHandler() {
                @Override
                public void onPull() {
                    if (!hasBeenPulled(requests) && !isClosed(requests)) {
                        pull(requests);
                    }
                }
            });
            setHandler(answered, new AbstractInHandler() {
                @Override
                public void onPush() {
                    push(responses, watched(grab(answered)));
                }
            });
            setHandler(responses, new AbstractOutHandler() {
                @Override
                public void onPull() {
                    pull(answered);
                }
            });
        }

        @Override
        public void preStart() {
            watch();
        }

        /** One timer at a time, and none is cancelled: a request costs a look at the clock. */
        private void watch() {
            since = System.nanoTime();
            if (!waiting) {
                waiting = true;
                scheduleOnce(LATE, longest);
            }
        }

        @Override
        public void onTimer(Object timer) {
            waiting = false;
            if (open > 0) {
                return;
            }
            Duration left = longest.minusNanos(System.nanoTime() - since);
            if (left.isPositive()) {
                waiting = true;
                scheduleOnce(LATE, left);
            } else {
                completeStage();
            }
        }

        /** A response that is a stream ends when its stream does. */
        private HttpResponse watched(HttpResponse response) {
            if (response.entity().isStrict()) {
                closed();
                return response;
            }
            return response.transformEntityDataBytes(Flow.<ByteString>create().watchTermination((_, done) -> {
                done.whenComplete((_, _) -> ended.invoke(NotUsed.getInstance()));
                return NotUsed.getInstance();
            }));
        }

        private void closed() {
            open--;
            if (open == 0) {
                watch();
            }
        }
    }
}
