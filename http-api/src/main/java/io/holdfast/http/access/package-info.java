/**
 * Who may call what: roles, permissions, merchants, and the one table of all routes. Values only: finding out who calls, and refusing,
 * belong to the routes.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.http.access;
