package io.holdfast.node;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.pekko.actor.Address;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whom a node asks to let it in. The first of the list forms a cluster when nobody answers, and that nobody answers does not mean that nobody
 * is there: a first seed node that was cut off from the others, was removed and started again would form a second cluster on one database, which
 * never joins the first. So it asks as the last where others serve. A node that was told of no others forms none beside those it sees there.
 */
record SeedNodes(List<Address> configured, Address self) {

    private static final Logger LOG = LoggerFactory.getLogger(SeedNodes.class);

    SeedNodes {
        configured = List.copyOf(configured);
    }

    /**
     * In which order they are asked; itself alone where there are none, and nobody as long as others serve all the same.
     *
     * @param others whether other nodes serve on this database; asked only where it matters
     */
    List<Address> order(BooleanSupplier others) {
        if (configured.isEmpty()) {
            return others.getAsBoolean() ? List.of() : List.of(self);
        }
        if (configured.size() == 1 || !configured.getFirst().equals(self) || !others.getAsBoolean()) {
            return configured;
        }
        LOG.info("Other nodes serve on this database: this one joins them, and forms no cluster of its own.");
        List<Address> last = new ArrayList<>(configured.subList(1, configured.size()));
        last.add(self);
        return last;
    }
}
