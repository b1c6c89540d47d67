/** What reconciliation reads from the database and keeps there. SQL only; what a difference means is decided above. */
@NullMarked
package io.holdfast.reconciliation.sql;

import org.jspecify.annotations.NullMarked;
