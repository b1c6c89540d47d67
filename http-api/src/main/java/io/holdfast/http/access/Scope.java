package io.holdfast.http.access;

import java.util.Collection;
import java.util.Optional;
import java.util.Set;

/** Whose stock a caller may see and touch: of merchants, and of activities, which take the merchant's place in the pools of sales. */
public sealed interface Scope {

    /** Of everybody. */
    record All() implements Scope {
        @Override
        public boolean covers(String merchant) {
            return true;
        }

        @Override
        public Optional<Set<String>> merchants() {
            return Optional.empty();
        }
    }

    /**
     * Of these alone.
     *
     * @param ids of merchants and activities; none at all covers nothing
     */
    record Only(Set<String> ids) implements Scope {
        public Only {
            ids = Set.copyOf(ids);
        }

        @Override
        public boolean covers(String merchant) {
            return ids.contains(merchant);
        }

        @Override
        public Optional<Set<String>> merchants() {
            return Optional.of(ids);
        }
    }

    /** Everybody, as settings and tokens write it. */
    String EVERYBODY = "*";

    /** Whether a merchant or activity is within it. */
    boolean covers(String merchant);

    /** Its merchants and activities; empty where it is not limited. */
    Optional<Set<String>> merchants();

    /** As it is written: ids, or {@link #EVERYBODY} among them for all. */
    static Scope of(Collection<String> written) {
        return written.contains(EVERYBODY) ? new All() : new Only(Set.copyOf(written));
    }
}
