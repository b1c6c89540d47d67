package io.holdfast.testkit.simulation;

import io.holdfast.engine.effect.Effect;
import io.holdfast.engine.entity.CoreLimits;
import io.holdfast.engine.runtime.MachineDefinition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The nodes, and the entities of every machine on them. */
public final class Fleet {

    private static final Duration DOWN_AT_MOST = Duration.ofSeconds(40);
    private static final Duration SWEEP_EVERY = Duration.ofSeconds(5);

    private final World world;
    private final Storm storm;
    private final List<Node> nodes = new ArrayList<>();
    private final List<SimulatedEntities<?, ?, ?, ?>> machines = new ArrayList<>();
    private boolean encodes = true;

    Fleet(World world, Storm storm, int size) {
        this.world = world;
        this.storm = storm;
        for (int i = 1; i <= size; i++) {
            nodes.add(new Node("node-" + i, world.timeline()));
        }
        world.timeline().after(SWEEP_EVERY, "", this::sweep);
    }

    World world() {
        return world;
    }

    Storm storm() {
        return storm;
    }

    /**
     * What machines hosted from now on write and send is handed over as it is, not through its bytes. They give back what was put in, or the
     * run fails, so nothing else changes: for most of many runs, of which some go through them.
     */
    public void handsOver() {
        encodes = false;
    }

    boolean encodes() {
        return encodes;
    }

    /**
     * Adds the entities of a machine. Journal entries, commands and the states in answers go through their bytes, as between nodes, unless
     * {@link #handsOver} was called.
     *
     * @param definition its performer is the outside world, with the faults around it
     */
    public <S, C, E, X extends Effect> SimulatedEntities<S, C, E, X> host(MachineDefinition<S, C, E, X> definition) {
        var entities = new SimulatedEntities<>(this, definition, CoreLimits.defaults());
        machines.add(entities);
        return entities;
    }

    /** Entities of every machine. */
    public List<SimulatedEntities<?, ?, ?, ?>> machines() {
        return List.copyOf(machines);
    }

    /** A node that serves, drawn from the seed. At least one always does. */
    Node someNode() {
        return world.chance().pick(nodes.stream().filter(Node::isUp).toList());
    }

    /** A node dies with everything on it, and comes back empty later. The last one standing is spared. */
    public void crashANode() {
        List<Node> up = nodes.stream().filter(Node::isUp).toList();
        if (up.size() < 2 || world.mishaps().isCalm()) {
            return;
        }
        Node victim = world.chance().pick(up);
        world.mishaps().strike("NodeCrash", 1);
        world.timeline().note("crash of " + victim.name());
        victim.down();
        machines.forEach(entities -> entities.lose(victim));
        world.timeline()
                .after(
                        world.chance().between(Duration.ofSeconds(1), DOWN_AT_MOST),
                        "return of " + victim.name(),
                        victim::up);
    }

    /** A node's wall clock jumps to a wrong time, or back. */
    public void jumpAClock(Duration atMost) {
        if (world.mishaps().strike("ClockJump", 1)) {
            Duration error = world.chance().between(atMost.negated(), atMost);
            Node node = someNode();
            world.timeline().note("clock of " + node.name() + " is now wrong by " + error);
            node.clockError(error);
        }
    }

    /** Every clock is right again, every node up, and no copy of an entity left behind: where it is asked all the time it would never end. */
    void calm() {
        machines.forEach(SimulatedEntities::loseLeftBehind);
        nodes.forEach(node -> {
            node.clockError(Duration.ZERO);
            node.up();
        });
    }

    private void sweep() {
        machines.forEach(SimulatedEntities::sweep);
        world.timeline().after(SWEEP_EVERY, "", this::sweep);
    }
}
