/**
 * Checks of files that are derived from code or must stay readable by it: machine pages under {@code docs/generated} and golden journals.
 * Anything that needs a running entity does not belong here.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.testkit.derived;
