/**
 * What every implementation of the stock scripts must do, as tables: run on the model, on Redis, and on something that does nothing, where
 * every test must fail.
 */
package io.holdfast.lua.conformance;
