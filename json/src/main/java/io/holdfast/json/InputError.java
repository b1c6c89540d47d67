package io.holdfast.json;

/**
 * One fault of a request, precise enough to mend it.
 *
 * @param in the part of the request
 * @param pointer JSON Pointer (RFC 6901) into the body, or "/" and the name of the parameter or header; empty for the whole part
 * @param code stable code
 * @param detail one sentence for a person; never repeats more than a short piece of the input
 */
public record InputError(In in, String pointer, Code code, String detail) {

    /** Part of a request. */
    public enum In {
        BODY,
        PATH,
        QUERY,
        HEADER
    }

    /** What may be wrong with a value. */
    public enum Code {
        /** Not JSON, not UTF-8, or something follows the document. */
        NOT_JSON,
        /** A depth, length or size beyond the limits. */
        OVER_LIMIT,
        /** A name occurs twice. */
        DUPLICATE,
        /** No such field or parameter here. */
        UNKNOWN,
        /** It must be given. */
        MISSING,
        /** It can't be given together with, or without, another. */
        CONFLICTING,
        /** Of the wrong JSON type. */
        WRONG_TYPE,
        /** A number, but not one of the integers allowed. */
        OUT_OF_RANGE,
        /** A string that doesn't follow the syntax asked for. */
        BAD_SYNTAX
    }

    /** A fault at a place in the body. */
    public static InputError body(String pointer, Code code, String detail) {
        return new InputError(In.BODY, pointer, code, detail);
    }

    /** A fault of a field of the top-level object. */
    public static InputError field(String name, Code code, String detail) {
        return body(pointerTo(name), code, detail);
    }

    /** A fault of a part of the path. */
    public static InputError path(String name, Code code, String detail) {
        return new InputError(In.PATH, pointerTo(name), code, detail);
    }

    /** A fault of a query parameter. */
    public static InputError query(String name, Code code, String detail) {
        return new InputError(In.QUERY, pointerTo(name), code, detail);
    }

    /** A fault of a header. */
    public static InputError header(String name, Code code, String detail) {
        return new InputError(In.HEADER, pointerTo(name), code, detail);
    }

    /** JSON Pointer of a field of the top-level object. */
    static String pointerTo(String name) {
        return "/" + clipped(name).replace("~", "~0").replace("/", "~1");
    }

    /** The start of a text from outside, short enough to be repeated in an answer. */
    static String clipped(String text) {
        return text.length() <= 64 ? text : text.substring(0, 61) + "...";
    }
}
