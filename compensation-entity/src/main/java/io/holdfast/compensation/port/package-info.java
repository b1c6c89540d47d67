/**
 * What a compensation asks for, besides the stock scripts. Interfaces and what they answer; no implementation belongs here.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.compensation.port;
