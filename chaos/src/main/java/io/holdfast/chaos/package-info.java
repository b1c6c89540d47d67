/**
 * {@code ./holdfast chaos}: real nodes on real stores, with faults on the lines and the processes, and a check afterwards of everything
 * that callers were told against what the stores hold. What is worth telling of a run belongs here; how a server is started and how a line is broken
 * belongs to {@code local-stack}, and what the product promises is only checked here, never computed with its code.
 */
@NullMarked
package io.holdfast.chaos;

import org.jspecify.annotations.NullMarked;
