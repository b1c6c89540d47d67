/**
 * Strict reading and plain writing of JSON: one reader for every route, its limits, the fields of an object checked one by one with every
 * fault named, and the canonical form whose hash identifies a request's content. Knows no route and no HTTP, and of the
 * domain only the rule for ids and the largest number.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.http.json;
