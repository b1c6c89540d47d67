package io.holdfast.chaos;

import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Starts nodes again that have ended by themselves, as whoever looks after processes does, and counts with which exit code they had. */
final class Supervisor implements AutoCloseable {

    private final Map<Integer, Integer> ended = new TreeMap<>();
    private final Thread thread;
    private volatile boolean over;

    Supervisor(List<Member> members) {
        this.thread = Thread.ofVirtual().name("supervisor").start(() -> watch(members));
    }

    private void watch(List<Member> members) {
        try {
            while (!over) {
                for (Member member : members) {
                    OptionalInt code = member.revive();
                    if (code.isPresent()) {
                        note(code.getAsInt());
                    }
                }
                TimeUnit.SECONDS.sleep(1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void note(int code) {
        ended.merge(code, 1, Integer::sum);
    }

    /** How often a node ended by itself, by exit code. */
    synchronized Map<Integer, Integer> ended() {
        return Map.copyOf(ended);
    }

    @Override
    public void close() {
        over = true;
        thread.interrupt();
    }
}
