package io.holdfast.lua.redis;

import io.holdfast.localstack.RedisServer;
import io.holdfast.localstack.RedisSettings;
import io.holdfast.localstack.SharedStack;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** The servers that the scripts and the port are run on in every build: how Redis runs Lua has changed between them. */
enum RedisVersion {
    /** 6.2, unless the build names another program: {@value RedisSettings#PROGRAM}. */
    OF_THE_LOCAL_STACK,
    V7_0;

    /** A server of this version for the caller alone, who closes it. */
    RedisServer start(String name, String... lines) {
        return RedisServer.start(settings(name).withExtraLines(lines));
    }

    /** What a server of this version is started with; any free port. */
    RedisSettings settings(String name) {
        RedisSettings settings = RedisSettings.in(SharedStack.freshFolder(name + "-" + this));
        return switch (this) {
            case OF_THE_LOCAL_STACK -> settings;
            case V7_0 -> settings.withProgram(Version7.PROGRAM);
        };
    }

    /** Unpacked when first asked for. */
    private static final class Version7 {

        private static final Path PROGRAM = unpacked("/redis-server-7.0.9-linux-" + cpu());

        private static String cpu() {
            return System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
        }

        private static Path unpacked(String resource) {
            try (InputStream program = RedisVersion.class.getResourceAsStream(resource)) {
                if (program == null) {
                    throw new IllegalStateException("no " + resource + " on the class path");
                }
                Path folder = Files.createDirectories(SharedStack.freshFolder("redis-7-program"));
                Path unpacked = folder.resolve("redis-server");
                Files.copy(program, unpacked);
                return Files.setPosixFilePermissions(unpacked, PosixFilePermissions.fromString("rwxr-xr-x"));
            } catch (IOException e) {
                throw new IllegalStateException("could not unpack " + resource, e);
            }
        }
    }
}
