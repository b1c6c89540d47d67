/**
 * What keeps the gates of sales going besides the requests themselves: which sales there are, once in the fleet the handing over of holds
 * whose node died, and how much has been left behind. Reads the views with plain JDBC and asks pools and scripts; who is let in is decided
 * in {@code entity} and by the script.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.reservation.gate;
