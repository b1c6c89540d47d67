/**
 * Every setting of a node: the reference file that explains them, and one validated record per section. Settings are read once, before
 * anything starts. What a section means to a module is that module's business, and nothing here may know a module; SQL migrations live
 * in {@code config.sql}.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.config;
