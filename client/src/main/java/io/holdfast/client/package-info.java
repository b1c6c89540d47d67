/**
 * A client of the HTTP interface for Java: the JDK's HTTP client, JSON, and the rules of asking again. Knows no route's meaning and nothing of
 * the server's code; what a route takes and answers says the OpenAPI document.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.client;
