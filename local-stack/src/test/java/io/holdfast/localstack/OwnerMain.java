package io.holdfast.localstack;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A program that owns a stack: starts it in the folder given, says what runs, then waits for a line on its input. {@code exit}
 * makes it leave without closing anything.
 */
final class OwnerMain {

    private OwnerMain() {}

    public static void main(String[] arguments) throws IOException {
        try {
            LocalStack stack = LocalStack.start(LocalStackSettings.in(Path.of(arguments[0])));
            PostgresServer postgres = stack.postgres().orElseThrow();
            RedisServer redis = stack.redis().orElseThrow();
            System.out.println("up %d %d %d %d".formatted(postgres.pid(), postgres.port(), redis.pid(), redis.port()));
            if (System.in.read() < 0) {
                stack.close();
            }
            System.exit(0);
        } catch (LocalStackException e) {
            System.out.println(e.getMessage());
            System.exit(1);
        }
    }
}
