package io.holdfast.localstack;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Just enough of Redis's protocol to ask one server whether it is ready and how it is set. */
final class RedisWire implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 5_000;

    private final Socket socket;
    private final InputStream in;

    RedisWire(String host, int port) throws IOException {
        socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(host, port), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            in = new BufferedInputStream(socket.getInputStream());
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** The parts of the answer: one for a simple answer, all elements for an array. An error answer begins with {@code -}. */
    List<String> ask(String... words) throws IOException {
        StringBuilder request = new StringBuilder("*" + words.length + "\r\n");
        for (String word : words) {
            int bytes = word.getBytes(StandardCharsets.UTF_8).length;
            request.append('$').append(bytes).append("\r\n").append(word).append("\r\n");
        }
        socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.UTF_8));
        List<String> parts = new ArrayList<>();
        read(parts);
        return parts;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private void read(List<String> parts) throws IOException {
        String line = line();
        switch (line.charAt(0)) {
            case '*' -> {
                int elements = Integer.parseInt(line.substring(1));
                for (int element = 0; element < elements; element++) {
                    read(parts);
                }
            }
            case '$' -> {
                int length = Integer.parseInt(line.substring(1));
                parts.add(length < 0 ? "" : new String(in.readNBytes(length + 2), 0, length, StandardCharsets.UTF_8));
            }
            case '-' -> parts.add(line);
            case '+', ':' -> parts.add(line.substring(1));
            default -> throw new IOException("not an answer of Redis: " + line);
        }
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("Redis closed the connection");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        if (line.isEmpty()) {
            throw new IOException("not an answer of Redis: an empty line");
        }
        return line.toString();
    }
}
