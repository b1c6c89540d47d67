package io.holdfast.lua.model;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.lua.PoolTags;
import io.holdfast.lua.script.GarbledAnswerException;
import io.holdfast.lua.script.ScriptCall;
import io.holdfast.lua.script.ScriptRunner;
import io.holdfast.lua.script.StockScript;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BinaryOperator;

/**
 * The port without Redis: runs the real script files over hashes and sorted sets in memory. Stages are complete when they are returned. Deterministic and
 * for one thread; a simulation wraps it to delay, drop or repeat.
 *
 * <p>The Redis process has an identity, {@code process-1} at first. {@link #restart} gives it the next one and keeps the data;
 * {@link #snapshot} and {@link #restore} before a restart lose the last writes; {@link #wipe} loses everything. Closing frees native
 * memory.
 */
public final class RedisModel extends ScriptRunner implements AutoCloseable {

    private final LuaMachine lua;
    private HashStore store = new HashStore();
    private int process = 1;
    private long calls;

    /** Of pools that share no hash tags. */
    public RedisModel() {
        this(PoolTags.none());
    }

    /** @param tags under which hash tags the pools are */
    public RedisModel(PoolTags tags) {
        this(tags, (_, text) -> text);
    }

    /**
     * A model that runs other scripts than the files say, so that whoever watches it can be seen to notice.
     *
     * @param edit what is run of a script, given its name and its text as it is loaded
     */
    public RedisModel(PoolTags tags, BinaryOperator<String> edit) {
        super(tags);
        this.lua = new LuaMachine(edit);
    }

    @Override
    protected <Q, R> CompletionStage<Outcome<R>> run(StockScript<Q, R> script, Q request, Optional<String> tag) {
        ScriptCall call = script.call(request, tag, Long.toString(++calls), processId());
        return CompletableFuture.completedFuture(outcome(script, call));
    }

    private <Q, R> Outcome<R> outcome(StockScript<Q, R> script, ScriptCall call) {
        try {
            return Outcome.known(script.reply(call, call(call.script(), call.keys(), call.arguments())));
        } catch (RedisRefusal refusal) {
            return Outcome.unavailable(String.valueOf(refusal.getMessage()));
        } catch (ScriptFault | GarbledAnswerException fault) {
            return Outcome.unknown(String.valueOf(fault.getMessage()));
        }
    }

    /**
     * Runs a script with keys and arguments as they are, as EVALSHA would.
     *
     * @return texts, nulls and nested lists, cut at the first nil
     * @throws RedisRefusal when Redis would have refused the first write
     * @throws ScriptFault when the script itself fails
     */
    public List<Object> call(String script, List<String> keys, List<String> arguments) {
        return lua.call(script, keys, arguments, store);
    }

    /** Identity of the running process. */
    public String processId() {
        return "process-" + process;
    }

    /** A restart or promotion: another process, with the data as they are. */
    public void restart() {
        process++;
    }

    /** Loses everything. */
    public void wipe() {
        store = store.emptied();
    }

    /** The data as they are now. */
    public Snapshot snapshot() {
        return new Snapshot(store.copy());
    }

    /** Puts the data back as they were; the snapshot can be used again. */
    public void restore(Snapshot snapshot) {
        store = snapshot.store.copy();
    }

    /** Whether maxmemory is reached: a script whose first write grows is refused. */
    public void full(boolean full) {
        store.full(full);
    }

    /** Whether this is a replica: a script that writes is refused at its first write. */
    public void readOnly(boolean readOnly) {
        store.readOnly(readOnly);
    }

    /** The stored fields of a key, empty where there is none. */
    public Map<String, String> hash(String key) {
        return store.hash(key);
    }

    /** One of them; empty where there is none. */
    public Optional<String> field(String key, String field) {
        return Optional.ofNullable(store.field(key, field));
    }

    /** Whether the last script wrote anything. */
    public boolean wrote() {
        return store.written();
    }

    /** Members of a sorted set and their scores, the lowest first; empty where there is none. */
    public Map<String, Long> scores(String key) {
        return store.scores(key);
    }

    /** Milliseconds a key was given to live; -1 for one that stays. No time passes here. */
    public long lives(String key) {
        return store.lives(key);
    }

    /** The time of every key that was given one to live is over. */
    public void expire() {
        store.expire();
    }

    /** Writes a field behind the scripts' back. */
    public void put(String key, String field, String value) {
        store.put(key, field, value);
    }

    /** Removes a field behind the scripts' back. */
    public void removeField(String key, String field) {
        store.removeField(key, field);
    }

    /** Removes a key behind the scripts' back. */
    public void remove(String key) {
        store.remove(key);
    }

    @Override
    public void close() {
        lua.close();
    }

    /** Data at one moment. */
    public static final class Snapshot {
        private final HashStore store;

        private Snapshot(HashStore store) {
            this.store = store;
        }
    }
}
