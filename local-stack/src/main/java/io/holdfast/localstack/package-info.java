/**
 * Real PostgreSQL, Redis and Kafka on one machine with nothing installed: the servers come out of Maven artifacts, run as
 * child processes with durable settings, keep their data in one folder each and end with the JVM that started them. Serves
 * {@code dev} and every test. Nothing here knows what Holdfast stores in them, and a production node never has this module
 * on its class path.
 */
@NullMarked
package io.holdfast.localstack;

import org.jspecify.annotations.NullMarked;
