package io.holdfast.lua.script;

import io.holdfast.lua.GuardRefusal;
import io.holdfast.lua.SoldOutReply;

/** What {@code sold_out} answered to all that it was asked at once. */
public sealed interface LooksReply {

    /**
     * @param letters one for each request: {@code S} for sold out, anything else for a Try
     */
    record Looked(String letters) implements LooksReply {
        @Override
        public SoldOutReply to(int request) {
            return letters.charAt(request) == 'S' ? new SoldOutReply.SoldOut() : new SoldOutReply.Ask();
        }

        @Override
        public boolean answers(int requests) {
            return letters.length() == requests;
        }
    }

    /** All of them are refused. */
    record Refused(GuardRefusal.Malformed why) implements LooksReply {
        @Override
        public SoldOutReply to(int request) {
            return why;
        }

        @Override
        public boolean answers(int requests) {
            return true;
        }
    }

    /** The reply to one of the requests, the first of which is 0. */
    SoldOutReply to(int request);

    /** Whether there is an answer for each of that many requests. */
    boolean answers(int requests);
}
