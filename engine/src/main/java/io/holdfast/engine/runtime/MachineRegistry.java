package io.holdfast.engine.runtime;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Extension;
import org.apache.pekko.actor.typed.ExtensionId;

/** The machines of one actor system by name, where its serializer finds their codecs. */
final class MachineRegistry implements Extension {

    private static final Id ID = new Id();

    private final Map<String, MachineDefinition<?, ?, ?, ?>> byName = new ConcurrentHashMap<>();

    private MachineRegistry() {}

    static MachineRegistry of(ActorSystem<?> system) {
        return system.registerExtension(ID);
    }

    void register(MachineDefinition<?, ?, ?, ?> definition) {
        String name = definition.machine().name();
        if (byName.putIfAbsent(name, definition) != null) {
            throw new IllegalStateException("the machine " + name + " is started twice on one node");
        }
    }

    MachineDefinition<?, ?, ?, ?> get(String name) {
        MachineDefinition<?, ?, ?, ?> definition = byName.get(name);
        if (definition == null) {
            throw new IllegalArgumentException("this node runs no machine named " + name);
        }
        return definition;
    }

    private static final class Id extends ExtensionId<MachineRegistry> {
        @Override
        public MachineRegistry createExtension(ActorSystem<?> system) {
            return new MachineRegistry();
        }
    }
}
