package io.holdfast.bench.gauge;

import java.util.List;

/**
 * One line of {@code /proc/<pid>/stat}.
 *
 * @param parent process that started it
 * @param ticks processor time of the process itself, in clock ticks
 * @param reapedTicks processor time of its children that have ended and were waited for, theirs included
 */
record ProcessStat(long parent, long ticks, long reapedTicks) {

    /** The program's name is in parentheses and may hold blanks and parentheses itself, so fields are counted from the last one. */
    static ProcessStat parse(String line) {
        int end = line.lastIndexOf(") ");
        if (end < 0) {
            throw new IllegalArgumentException("not a line of /proc/<pid>/stat: " + line);
        }
        // The first of these is field 3 of proc(5), the state.
        List<String> fields = List.of(line.substring(end + 2).strip().split(" ", -1));
        return new ProcessStat(
                Long.parseLong(fields.get(1)),
                Long.parseLong(fields.get(11)) + Long.parseLong(fields.get(12)),
                Long.parseLong(fields.get(13)) + Long.parseLong(fields.get(14)));
    }
}
