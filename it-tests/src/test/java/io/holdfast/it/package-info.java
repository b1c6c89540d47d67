/** End to end: real nodes, real PostgreSQL, real Redis, called over HTTP; networks, stores and nodes that fail. */
package io.holdfast.it;
