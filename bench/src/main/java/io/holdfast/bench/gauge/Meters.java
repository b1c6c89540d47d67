package io.holdfast.bench.gauge;

import java.lang.management.ManagementFactory;
import java.util.OptionalLong;

/** Reads the processor time of this JVM and of the servers beside it, and what this JVM has allocated. */
public final class Meters {

    private final long postgres;
    private final long redis;
    private final OptionalLong kafka;
    private final com.sun.management.OperatingSystemMXBean system =
            ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
    private final com.sun.management.ThreadMXBean threads =
            ManagementFactory.getPlatformMXBean(com.sun.management.ThreadMXBean.class);

    /**
     * Meters of these servers, each by its first process.
     *
     * @param kafka where it takes part
     */
    public Meters(long postgres, long redis, OptionalLong kafka) {
        this.postgres = postgres;
        this.redis = redis;
        this.kafka = kafka;
    }

    /**
     * What was used so far, or between two readings: microseconds of processor time, bytes of memory.
     *
     * @param allocated by all threads of this JVM
     */
    public record Reading(long jvm, long postgres, long redis, OptionalLong kafka, long allocated) {

        /** What was used since an earlier reading. */
        public Reading since(Reading earlier) {
            return new Reading(
                    jvm - earlier.jvm,
                    postgres - earlier.postgres,
                    redis - earlier.redis,
                    kafka.isPresent()
                            ? OptionalLong.of(kafka.getAsLong() - earlier.kafka.orElse(0))
                            : OptionalLong.empty(),
                    allocated - earlier.allocated);
        }

        /** What both came to. */
        public Reading and(Reading other) {
            return new Reading(
                    jvm + other.jvm,
                    postgres + other.postgres,
                    redis + other.redis,
                    kafka.isPresent()
                            ? OptionalLong.of(kafka.getAsLong() + other.kafka.orElse(0))
                            : OptionalLong.empty(),
                    allocated + other.allocated);
        }

        /** Processor time of all processes. */
        public long all() {
            return jvm + postgres + redis + kafka.orElse(0);
        }
    }

    /** Reads all of them. */
    public Reading read() {
        return new Reading(
                system.getProcessCpuTime() / 1000,
                ProcessTree.micros(postgres),
                ProcessTree.micros(redis),
                kafka.isPresent() ? OptionalLong.of(ProcessTree.micros(kafka.getAsLong())) : OptionalLong.empty(),
                threads.getTotalThreadAllocatedBytes());
    }
}
