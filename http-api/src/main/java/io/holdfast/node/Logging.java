package io.holdfast.node;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.spi.FilterReply;
import io.holdfast.config.LoggingSection;
import java.net.BindException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/** How this process writes its lines. For mains only: a node inside another program leaves logging to it. */
final class Logging {

    private static final String TEXT = "%d{HH:mm:ss.SSS} %-5level %-28.28logger{0} %msg %kvp%n%ex{full}";

    /** Libraries that say more at INFO than an operator wants to read. */
    private static final Map<String, Level> QUIET = Map.of(
            "org.apache.pekko", Level.WARN,
            "org.apache.kafka", Level.WARN,
            "slick", Level.WARN,
            "com.zaxxer.hikari", Level.WARN,
            "org.flywaydb", Level.WARN,
            "io.lettuce", Level.WARN,
            "io.netty", Level.WARN);

    /** What matters in a fleet, and is noise where one node does everything. */
    private static final List<String> OF_FLEETS =
            List.of("io.holdfast.engine.fleet", LedgerUpkeep.class.getName(), ReconciliationMetrics.class.getName());

    /** Pekko tells of an address that is taken at length; whoever asked for the address says it in one line with the remedy. */
    private static final TurboFilter TAKEN_ADDRESSES = new TurboFilter() {
        @Override
        public FilterReply decide(
                @Nullable Marker marker,
                Logger logger,
                Level level,
                @Nullable String format,
                Object @Nullable [] params,
                @Nullable Throwable thrown) {
            return thrown instanceof BindException && logger.getName().startsWith("org.apache.pekko.io.")
                    ? FilterReply.DENY
                    : FilterReply.NEUTRAL;
        }
    };

    private Logging() {}

    /** For a command whose answer is what it prints: only what broke, on standard error. */
    static void errorsOnly() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            context.reset();
            var console = new ConsoleAppender<ILoggingEvent>();
            console.setContext(context);
            console.setTarget("System.err");
            console.setEncoder(encoder(LoggingSection.Format.TEXT, context));
            console.start();
            Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
            root.setLevel(Level.ERROR);
            root.addAppender(console);
        }
    }

    /** Writes all lines to standard output, in this format, from this level up. */
    static void apply(LoggingSection section) {
        if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) {
            return;
        }
        context.reset();
        var console = new ConsoleAppender<ILoggingEvent>();
        console.setContext(context);
        console.setEncoder(encoder(section.format(), context));
        console.start();
        context.addTurboFilter(TAKEN_ADDRESSES);
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        Level level = Level.valueOf(section.level().name());
        root.setLevel(level);
        root.addAppender(console);
        QUIET.forEach((name, least) -> context.getLogger(name)
                .setLevel(level.isGreaterOrEqual(least) || level.toInt() < Level.INFO_INT ? level : least));
    }

    /** The same for a node on its own in front of a person: at INFO, without what it says about sharing work. */
    static void applyForOne(LoggingSection section) {
        apply(section);
        if (section.level() == LoggingSection.Level.INFO
                && LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            OF_FLEETS.forEach(name -> context.getLogger(name).setLevel(Level.WARN));
        }
    }

    private static Encoder<ILoggingEvent> encoder(LoggingSection.Format format, LoggerContext context) {
        return switch (format) {
            case TEXT -> {
                var encoder = new PatternLayoutEncoder();
                encoder.setContext(context);
                encoder.setPattern(TEXT);
                encoder.start();
                yield encoder;
            }
            case JSON -> {
                var encoder = new JsonEncoder();
                encoder.setContext(context);
                encoder.setWithContext(false);
                encoder.setWithMessage(false);
                encoder.setWithArguments(false);
                encoder.setWithFormattedMessage(true);
                encoder.start();
                yield encoder;
            }
        };
    }
}
