/**
 * The HTTP side: what each address takes and gives, and the server that listens. Thin: it checks, asks an entity or a query, and maps the
 * answer. Nothing here decides anything about stock, and nothing here blocks a dispatcher's thread.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.http.route;
