/**
 * What is done with an event that was understood: the reservations it concerns are found and told, however long that takes, or it is set
 * aside where a person sees it. Knows neither the broker nor its client; those are in {@code kafka}.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.messaging.in;
