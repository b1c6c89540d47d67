/** JMH benchmarks of single parts: the pure functions, the entity core, the journal's bytes, the port of the scripts. */
package io.holdfast.bench.micro;
