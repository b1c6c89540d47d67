package io.holdfast.http.access;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** What a route asks for, and which roles have it. {@link Role#ADMIN} has every one. */
public enum Permission {
    /** To hold stock, and to tell what became of the order. */
    SELL(Role.CLIENT),
    /** To be let into a sale, and to pay. */
    BUY(Role.CLIENT, Role.USER),
    /** To call off an order. */
    CALL_OFF(Role.CLIENT, Role.USER, Role.OPERATOR),
    /** To give money and units of an order back. */
    GIVE_BACK(Role.CLIENT, Role.OPERATOR),
    /** To see pools, what is set out to be sold, and who is called about it. */
    SEE(Role.CLIENT, Role.OPERATOR, Role.AUDITOR),
    /** To see reservations and orders. */
    SEE_ORDERS(Role.CLIENT, Role.USER, Role.OPERATOR, Role.AUDITOR),
    /** To set up pools and change what they have. */
    STOCK(Role.OPERATOR),
    /** To have others called about what happens. */
    SUBSCRIBE(Role.CLIENT, Role.OPERATOR),
    /** To stop what goes wrong, and to decide how it goes on. */
    DECIDE(Role.OPERATOR),
    /** To see journals, ledgers, contradictions and their evidence. */
    AUDIT(Role.OPERATOR, Role.AUDITOR),
    /** To compare, repair and replay. */
    OPERATE(Role.OPERATOR),
    /** To see what the code does. */
    LEARN(Role.CLIENT, Role.USER, Role.OPERATOR, Role.AUDITOR);

    private final Set<Role> roles;

    Permission(Role... roles) {
        EnumSet<Role> all = EnumSet.of(Role.ADMIN, roles);
        this.roles = Collections.unmodifiableSet(all);
    }

    /** The roles that have it. */
    public Set<Role> roles() {
        return roles;
    }
}
