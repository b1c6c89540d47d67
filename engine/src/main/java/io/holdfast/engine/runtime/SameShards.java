package io.holdfast.engine.runtime;

import com.typesafe.config.Config;
import java.util.List;
import org.apache.pekko.cluster.ConfigValidation;
import org.apache.pekko.cluster.JoinConfigCompatChecker;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Lets a node join only nodes that divide entities into as many shards. With another number it would look for an entity elsewhere than they
 * do, and each side would keep a copy of it alive; the journal would refuse what one of them writes, for as long as both run. Named in the
 * actor system's configuration.
 */
public final class SameShards extends JoinConfigCompatChecker {

    /** Where the configuration says how many shards a machine has. */
    public static final String SETTING = "holdfast-engine.shards";

    private static final Seq<String> KEYS =
            CollectionConverters.asScala(List.of(SETTING)).toSeq();

    @Override
    public Seq<String> requiredKeys() {
        return KEYS;
    }

    @Override
    public ConfigValidation check(Config toCheck, Config actual) {
        return JoinConfigCompatChecker.fullMatch(KEYS, toCheck, actual);
    }
}
