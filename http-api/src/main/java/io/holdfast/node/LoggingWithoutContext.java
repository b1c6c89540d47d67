package io.holdfast.node;

import ch.qos.logback.classic.spi.LogbackServiceProvider;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;

/**
 * Logback without a diagnostic context. Pekko puts the entity's id and phase into it with every message an entity handles, which costs
 * several microseconds for each hold; no line of ours shows it, since whatever concerns an entity names it.
 */
public final class LoggingWithoutContext extends LogbackServiceProvider {

    private final MDCAdapter none = new NOPMDCAdapter();

    /** Has SLF4J take this one. Must come before the first logger of the process is made; a provider named by somebody else stays. */
    public static void install() {
        if (System.getProperty("slf4j.provider") == null) {
            System.setProperty("slf4j.provider", LoggingWithoutContext.class.getName());
            // Or SLF4J tells every user of every command that it was told so.
            System.setProperty("slf4j.internal.verbosity", "WARN");
        }
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return none;
    }
}
