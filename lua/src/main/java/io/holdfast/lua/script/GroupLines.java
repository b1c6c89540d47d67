package io.holdfast.lua.script;

import io.holdfast.lua.OrderTryRequest;
import java.util.stream.Collectors;

/** Pools and lines of a group as arguments: one line of text each, as {@code order_try.lua} reads them. */
final class GroupLines {

    private GroupLines() {}

    static String pools(OrderTryRequest request) {
        return request.pools().stream()
                .map(pool -> pool.pool() + " " + pool.epoch())
                .collect(Collectors.joining("\n"));
    }

    static String lines(OrderTryRequest request) {
        return request.lines().stream()
                .map(line -> line.reservation() + " " + line.pool() + " " + line.quantity())
                .collect(Collectors.joining("\n"));
    }
}
