/**
 * What Holdfast announces: journal entries as messages (pure), and the publisher that hands them to a broker. The journal is the outbox:
 * nothing here is stored, and a message's id follows from its journal entry, so it is the same however often it is sent.
 */
@org.jspecify.annotations.NullMarked
package io.holdfast.messaging.out;
