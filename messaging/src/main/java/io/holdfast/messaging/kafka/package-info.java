/**
 * The shell around Kafka: the stream that consumes events, the producers, dead letters, and what operators ask of a broker. The rules of
 * what an event means are in {@code event} and {@code in}, of what is announced in {@code out}. The only package here that knows Pekko.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.messaging.kafka;
