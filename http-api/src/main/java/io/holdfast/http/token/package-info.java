/**
 * Finds out whom a signed token stands for: whose signature it has, whether it is meant for here and now, and what it says of its bearer. What
 * that bearer may do is not decided here.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.http.token;
