/**
 * What an order needs of the world: the books in the database that decide, the payment provider, and the final stock of a sale. Interfaces
 * and their answers, and what makes two requests the same; nothing here knows SQL or HTTP.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.order.port;
