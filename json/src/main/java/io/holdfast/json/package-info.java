/**
 * Strict reading and plain writing of JSON: one reader for whatever comes in, its limits, the fields of an object checked one by one with
 * every fault named, and the canonical form whose hash identifies a request's or an event's content. Knows neither HTTP nor Kafka, and of
 * the domain only the rule for ids and the largest number.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.json;
