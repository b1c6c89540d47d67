/**
 * Lists that are read page by page, one way for all of them: the order of a list, the cursor that names a place in it, and the query of a
 * page. What is listed belongs to the package whose table it is.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.reservation.page;
