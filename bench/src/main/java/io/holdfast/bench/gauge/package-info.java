/** Reads what work costs: processor time of whole processes, allocation, and where the time goes. Nothing here knows what the work is. */
@org.jspecify.annotations.NullMarked
package io.holdfast.bench.gauge;
