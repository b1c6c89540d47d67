package io.holdfast.localstack;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Just enough of Kafka's protocol to learn whether a broker serves requests. */
final class KafkaWire {

    private static final int TIMEOUT_MILLIS = 5_000;
    private static final short API_VERSIONS = 18;
    private static final int CORRELATION = 4711;
    private static final byte[] CLIENT = "local-stack".getBytes(StandardCharsets.US_ASCII);

    private KafkaWire() {}

    /**
     * Asks which requests the broker knows, and waits for the answer.
     *
     * @throws IOException if nobody is there, or no broker
     */
    static void ask(String host, int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeInt(Short.BYTES + Short.BYTES + Integer.BYTES + Short.BYTES + CLIENT.length);
            out.writeShort(API_VERSIONS);
            out.writeShort(0);
            out.writeInt(CORRELATION);
            out.writeShort(CLIENT.length);
            out.write(CLIENT);
            out.flush();
            DataInputStream in = new DataInputStream(socket.getInputStream());
            int size = in.readInt();
            if (size < Integer.BYTES || in.readInt() != CORRELATION) {
                throw new IOException("not an answer of Kafka");
            }
        }
    }
}
