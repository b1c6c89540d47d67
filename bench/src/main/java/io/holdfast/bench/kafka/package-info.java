/** Orders that are told of over Kafka, as an order service would tell. */
@org.jspecify.annotations.NullMarked
package io.holdfast.bench.kafka;
