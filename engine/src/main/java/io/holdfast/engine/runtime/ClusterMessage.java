package io.holdfast.engine.runtime;

/** What travels between nodes, written by {@link ClusterMessageSerializer}. */
interface ClusterMessage {

    /** The machine whose codecs write and read it. */
    String machine();
}
