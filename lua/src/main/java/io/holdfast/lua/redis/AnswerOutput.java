package io.holdfast.lua.redis;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A script's answer as it comes in: texts, and lists of texts. Lettuce's own output for nested answers keeps a queue for each. */
final class AnswerOutput extends CommandOutput<String, String, List<@Nullable Object>> {

    private boolean begun;
    private @Nullable List<@Nullable Object> inner;

    AnswerOutput() {
        super(StringCodec.UTF8, new ArrayList<>(8));
    }

    @Override
    public void multi(int count) {
        if (begun) {
            inner = new ArrayList<>(Math.max(0, count));
            output.add(inner);
        } else {
            begun = true;
        }
    }

    @Override
    public void complete(int depth) {
        // The outer list alone is open: the inner one, if any, has ended.
        if (depth <= 1) {
            inner = null;
        }
    }

    @Override
    public void set(@Nullable ByteBuffer bytes) {
        add(bytes == null ? null : codec.decodeValue(bytes));
    }

    @Override
    public void setSingle(ByteBuffer bytes) {
        set(bytes);
    }

    @Override
    public void set(long integer) {
        add(integer);
    }

    /** Whatever it is: that no script answers with a number or with nothing is for the reader of answers to say. */
    private void add(@Nullable Object part) {
        List<@Nullable Object> list = inner == null ? output : inner;
        list.add(part);
    }
}
