/**
 * Whether this node can serve, told truthfully: one small port per part it depends on, asked when somebody asks. Knows none of those
 * parts; whoever owns one brings its check.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.http.health;
