package io.holdfast.client;

import com.fasterxml.jackson.databind.JsonNode;

/** What came of a call. Each case asks for something else from the caller, so there is no exception for any of them. */
public sealed interface Result {

    /**
     * Done.
     *
     * @param status 200, 201, 204 or 207; 202 of what has begun and is told of elsewhere, such as an admission or a run
     * @param body the document; missing when there is none
     * @param replayed whether it had been done before, under the same key
     */
    record Done(int status, JsonNode body, boolean replayed) implements Result {}

    /**
     * Taken, and driven to its end whoever asks again; the deadline came before that. Asking again with the same call tells more.
     *
     * @param body how it stands
     */
    record Open(JsonNode body) implements Result {}

    /**
     * Refused: asking the same again would be of no use now.
     *
     * @param status HTTP status
     * @param code what is wrong, for programs
     * @param problem the whole document
     */
    record Refused(int status, String code, JsonNode problem) implements Result {}

    /**
     * Whether it was carried out is not known, and the deadline came. Only the same call, under the same key, finds out; a new one might do
     * it twice.
     *
     * @param why what was last seen
     */
    record Unknown(String why) implements Result {}

    /**
     * Nothing was changed: every attempt was turned away or reached nobody, until the deadline.
     *
     * @param why what was last seen
     */
    record NotTaken(String why) implements Result {}
}
