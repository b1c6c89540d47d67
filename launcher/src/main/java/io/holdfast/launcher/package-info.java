/**
 * Starting Holdfast on a developer's machine: the stores of the local stack, one node, sample pools. A production node does without this
 * module, so nothing it needs may live here.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.launcher;
