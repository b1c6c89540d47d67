package io.holdfast.http.wire;

import java.util.List;
import java.util.Optional;

/**
 * Where to go on from an address that stands for many.
 *
 * @param title what they are
 * @param entries them, in the order in which a newcomer reads them
 */
public record IndexView(String title, List<EntryView> entries) {

    public IndexView {
        entries = List.copyOf(entries);
    }

    /**
     * One of them.
     *
     * @param method how it is asked, where that is not GET of the very address
     * @param href its address on this server; names in braces stand for variable parts
     * @param title what is there
     */
    public record EntryView(Optional<String> method, String href, String title) {

        /** Something to read. */
        public static EntryView page(String href, String title) {
            return new EntryView(Optional.empty(), href, title);
        }
    }
}
