package io.holdfast.launcher;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Runs {@code audit replay} as a person would, in a process of its own. */
public record AuditProcess(Path config) {

    /** What it said, and how it ended. */
    public record Replay(int exitCode, String text) {}

    /** Replays one entity. */
    public Replay replay(String id) throws IOException, InterruptedException {
        var process = JavaCommand.answering(
                        "io.holdfast.node.NodeMain", List.of("audit", "replay", id, "--config", config.toString()))
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Replay(process.waitFor(), text);
    }
}
