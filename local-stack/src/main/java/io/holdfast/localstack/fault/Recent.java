package io.holdfast.localstack.fault;

import java.util.Arrays;

/** The last bytes of a stream, so that a text is also found where two reads have torn it. */
final class Recent {

    private static final int KEPT = 1_024;

    private byte[] tail = new byte[0];

    /** Whether the text is in what passed lately together with these new bytes, ending in the new ones. */
    boolean contains(byte[] text, byte[] bytes, int length) {
        int overlap = Math.min(tail.length, text.length - 1);
        byte[] window = Arrays.copyOf(Arrays.copyOfRange(tail, tail.length - overlap, tail.length), overlap + length);
        System.arraycopy(bytes, 0, window, overlap, length);
        for (int start = 0; start + text.length <= window.length; start++) {
            if (Arrays.equals(window, start, start + text.length, text, 0, text.length)) {
                return true;
            }
        }
        return false;
    }

    void add(byte[] bytes, int length) {
        byte[] joined = Arrays.copyOf(tail, tail.length + length);
        System.arraycopy(bytes, 0, joined, tail.length, length);
        tail = Arrays.copyOfRange(joined, Math.max(0, joined.length - KEPT), joined.length);
    }
}
