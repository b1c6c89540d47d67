package io.holdfast.engine.projection;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;

/** The connection as a handler sees it: everything but the end of the transaction, which is the runner's. */
final class HandlersConnection implements InvocationHandler {

    private final Connection connection;

    private HandlersConnection(Connection connection) {
        this.connection = connection;
    }

    static Connection of(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                HandlersConnection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                new HandlersConnection(connection));
    }

    @Override
    @SuppressWarnings("ProxyNonConstantType") // every call is the caller's, handed on as it is
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        boolean endsTransaction = switch (method.getName()) {
            case "commit", "close", "abort", "setAutoCommit" -> true;
            case "rollback" -> arguments == null || !(arguments[0] instanceof Savepoint);
            default -> false;
        };
        if (endsTransaction) {
            throw new SQLException(
                    "a projection handler does not end its transaction, but called " + method.getName(), "2D000");
        }
        try {
            return method.invoke(connection, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }
}
