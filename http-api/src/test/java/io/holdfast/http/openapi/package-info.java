/**
 * The OpenAPI document of this repository, to hold requests and answers against. For the tests of every module that speak HTTP with a
 * node; knows no route by itself.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.http.openapi;
