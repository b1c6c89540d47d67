package io.holdfast.bench.http;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.holdfast.bench.load.Load;
import io.holdfast.launcher.JavaCommand;
import io.holdfast.localstack.SameJit;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** A process that asks one node for holds over HTTP. */
public final class HttpLoader implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Process process;
    private final PrintStream commands;
    private final BufferedReader answers;
    private long begun;

    private HttpLoader(Process process) {
        this.process = process;
        this.commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.US_ASCII);
        this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
    }

    /**
     * What is asked, and how.
     *
     * @param what is asked for
     * @param port of the node on this machine
     * @param outstanding requests on the way, each on a connection of its own
     * @param prefix letters of the pools, or of the items of the sale
     * @param pools how many there are
     * @param waitSeconds how long an answer may be held back until the hold is settled
     * @param status every answer to a hold should have; users at a gate are let in or turned away
     */
    public record Wish(What what, int port, int outstanding, String prefix, int pools, int waitSeconds, int status) {

        /** Holds, each answered so. */
        public static Wish holds(int port, int outstanding, String prefix, int pools, int waitSeconds, int status) {
            return new Wish(What.HOLD, port, outstanding, prefix, pools, waitSeconds, status);
        }

        /** Users before gates. */
        public static Wish users(int port, int outstanding, String prefix, int items) {
            return new Wish(What.ADMISSION, port, outstanding, prefix, items, 0, 0);
        }
    }

    /** What is asked for. */
    public enum What {
        /** Holds. */
        HOLD,
        /** To be let in by the gate of a sale. */
        ADMISSION
    }

    /** Starts the process. */
    public static HttpLoader start(Wish wish) throws IOException {
        List<String> arguments = List.of(
                wish.what().name(),
                Integer.toString(wish.port()),
                Integer.toString(wish.outstanding()),
                wish.prefix(),
                Integer.toString(wish.pools()),
                Integer.toString(wish.waitSeconds()),
                Integer.toString(wish.status()));
        List<String> flags = Stream.concat(Stream.of("-XX:+UseSerialGC", "-Xmx256m"), SameJit.flags().stream())
                .toList();
        return new HttpLoader(JavaCommand.of("io.holdfast.bench.http.HttpLoadMain", flags, arguments)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** A load that the process makes; one at a time. */
    public Load load() {
        return new Remote();
    }

    /** How many requests were begun by loads that have been stopped. */
    public long begun() {
        return begun;
    }

    /** How many were let in by gates. */
    public long letIn() {
        return Long.parseLong(ask("let-in"));
    }

    /** Processor time of the process so far. */
    public Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    @Override
    public void close() {
        commands.close();
        process.destroyForcibly();
    }

    private synchronized String ask(String command) {
        try {
            commands.println(command);
            String answer = answers.readLine();
            if (answer == null) {
                throw new IllegalStateException("the load process has ended");
            }
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private final class Remote implements Load {

        @Override
        public void start() {
            ask("start");
        }

        @Override
        public Histogram take() {
            try {
                return Histogram.decodeFromCompressedByteBuffer(
                        ByteBuffer.wrap(Base64.getDecoder().decode(ask("take"))), LONGEST_MICROS);
            } catch (DataFormatException e) {
                throw new IllegalStateException("the load process sent no histogram", e);
            }
        }

        @Override
        public void stop(Duration patience) {
            begun = Long.parseLong(ask("stop"));
        }

        @Override
        public Map<String, Long> failures() {
            try {
                return JSON.readValue(ask("failures"), new TypeReference<>() {});
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
