package io.holdfast.http.access;

/** How a route knows whose merchant's it is, and what becomes of a caller that is kept to other merchants. */
public enum Whose {
    /** The path names the merchant or activity, first of all in a pool's id: 403 before anything is looked for. */
    ADDRESS,
    /** The body names it: 403 before anything is asked. */
    BODY,
    /** What the id names belongs to one: 404, as where there is nothing of that id. */
    ENTITY,
    /** It lists: only what the caller may see is on it. */
    LIST,
    /** It is about all merchants together: 403 for whoever may not touch all of them. */
    FLEET,
    /** It is about none. */
    NOBODY
}
