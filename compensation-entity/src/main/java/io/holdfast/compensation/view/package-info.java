/**
 * Compensations as their journals add up, in a table for lists. Whatever decides anything asks the entity; nothing here does.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.compensation.view;
