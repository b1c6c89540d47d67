package io.holdfast.localstack;

import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * Whether a JVM that this one starts may use the second compiler: only if this one may. The code it makes pays after minutes, and the JVMs
 * of tests, which do without it, start others that live for seconds.
 */
public final class SameJit {

    private SameJit() {}

    /** Flags for the other JVM; empty if this one was told nothing. */
    public static List<String> flags() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("-XX:TieredStopAtLevel="))
                .toList();
    }
}
