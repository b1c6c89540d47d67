package io.holdfast.launcher;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A person at a terminal: runs commands of a node, each in a process of its own.
 *
 * @param config the settings they are given
 */
public record Terminal(Path config) {

    /** What a command said, and how it ended. */
    public record Said(int exitCode, String text) {}

    /** Replays the journal of one entity. */
    public Said replay(String id) throws IOException, InterruptedException {
        return run("audit", "replay", id);
    }

    /** Runs a command; the settings are named for it. */
    public Said run(String... command) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(command));
        arguments.addAll(List.of("--config", config.toString()));
        var process = JavaCommand.answering("io.holdfast.node.NodeMain", arguments)
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Said(process.waitFor(), text);
    }
}
