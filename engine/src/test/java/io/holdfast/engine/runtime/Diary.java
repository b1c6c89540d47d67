package io.holdfast.engine.runtime;

import io.holdfast.engine.entity.Observation;
import io.holdfast.engine.machine.Cause;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Writes down what the engine tells, so that a test can wait for facts. */
final class Diary implements EngineListener {

    final List<String> lines = new CopyOnWriteArrayList<>();
    final List<Observation> observations = new CopyOnWriteArrayList<>();

    boolean has(String line) {
        return lines.contains(line);
    }

    long count(String line) {
        return lines.stream().filter(line::equals).count();
    }

    @Override
    public void recovered(String machine, String entityId, long sequenceNumber) {
        lines.add("recovered " + entityId + " at " + sequenceNumber);
    }

    @Override
    public void persisted(String machine, String entityId, long sequenceNumber, int entries, Cause cause) {
        lines.add("persisted " + entityId + " to " + sequenceNumber);
    }

    @Override
    public void observed(String machine, String entityId, Observation observation) {
        observations.add(observation);
    }

    @Override
    public void journalFailed(String machine, String entityId, Throwable cause) {
        lines.add("journal failed " + entityId);
    }

    @Override
    public void unreadable(String machine, String entityId, String why) {
        lines.add("unreadable " + entityId);
    }

    @Override
    public void crowded(String machine, String entityId) {
        lines.add("crowded " + entityId);
    }

    @Override
    public void broken(String machine, String entityId, Throwable cause) {
        lines.add("broken " + entityId);
    }

    @Override
    public void stopped(String machine, String entityId, boolean owing) {
        lines.add("stopped " + entityId + (owing ? " owing" : ""));
    }
}
