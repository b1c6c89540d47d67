/**
 * Everything this API says no with: one list of codes, the one switch from a refusal to its code, and the RFC 9457 document. Reads
 * refusals of machines; knows no route.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.http.problem;
