package io.holdfast.bench.http;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.bench.PoolSet;
import io.holdfast.bench.SaleSet;
import io.holdfast.bench.load.ClosedLoop;
import io.holdfast.bench.load.Load;
import io.holdfast.bench.load.Operation;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The process that makes the load. Commands come in line by line, and each is answered with one line. */
final class HttpLoadMain {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private HttpLoadMain() {}

    /** What is asked for, port, operations on the way, letters and number of the pools, seconds an answer may take, status that is wished. */
    public static void main(String[] arguments) throws Exception {
        var what = HttpLoader.What.valueOf(arguments[0]);
        int port = Integer.parseInt(arguments[1]);
        int outstanding = Integer.parseInt(arguments[2]);
        int pools = Integer.parseInt(arguments[4]);
        String host = "127.0.0.1:" + port;
        var numbers = new AtomicLong();
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.US_ASCII);
        try (var connections = HttpConnections.open(new InetSocketAddress("127.0.0.1", port), outstanding);
                var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
            var admissions = new HttpAdmissions(connections, new SaleSet(arguments[3], pools), host);
            Operation operation = switch (what) {
                case HOLD ->
                    new HttpHolds(
                            connections,
                            new PoolSet(arguments[3], pools),
                            host,
                            Integer.parseInt(arguments[5]),
                            Integer.parseInt(arguments[6]));
                case ADMISSION -> admissions;
            };
            @Nullable Load load = null;
            for (String command = in.readLine(); command != null; command = in.readLine()) {
                if (command.equals("start")) {
                    load = new ClosedLoop(operation, outstanding, numbers);
                    load.start();
                    out.println("started");
                } else if (load == null) {
                    out.println("not started");
                } else if (command.equals("let-in")) {
                    out.println(admissions.letIn());
                } else if (command.equals("take")) {
                    out.println(encoded(load.take()));
                } else if (command.equals("stop")) {
                    load.stop(PATIENCE);
                    out.println(numbers.get());
                } else {
                    out.println(new ObjectMapper().writeValueAsString(load.failures()));
                }
            }
        }
    }

    private static String encoded(Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }
}
