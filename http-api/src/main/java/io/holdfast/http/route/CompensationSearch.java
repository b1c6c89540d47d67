package io.holdfast.http.route;

import io.holdfast.compensation.view.CompensationFilter;
import io.holdfast.compensation.view.CompensationListing;
import java.sql.SQLException;
import java.util.Optional;

/** Lists compensations. Blocking; called on threads made for that. */
@FunctionalInterface
public interface CompensationSearch {

    /**
     * One page, in the order of keys.
     *
     * @param after the last key of the page before
     * @throws SQLException when the database can't be read
     */
    CompensationListing list(CompensationFilter filter, Optional<String> after, int limit) throws SQLException;
}
