package io.holdfast.engine.projection;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import javax.sql.DataSource;

/** Connections that do something before they are given back: what they have read until then is read. */
final class StandingBeforeClose {

    private StandingBeforeClose() {}

    /** What is to be done, which may wait. */
    interface Step {
        void run() throws Exception;
    }

    static DataSource of(DataSource real, Step before) {
        return proxy(DataSource.class, real, "getConnection", found -> connection((Connection) found.call(), before));
    }

    private static Connection connection(Connection real, Step before) {
        return proxy(Connection.class, real, "close", call -> {
            before.run();
            return call.call();
        });
    }

    private interface Around {
        Object run(Callable<Object> call) throws Exception;
    }

    private static <T> T proxy(Class<T> type, T real, String method, Around around) {
        Object proxy = Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (_, called, arguments) -> {
            Callable<Object> call = () -> {
                try {
                    return called.invoke(real, arguments);
                } catch (InvocationTargetException e) {
                    throw e.getCause() instanceof SQLException sql ? sql : e;
                }
            };
            return called.getName().equals(method) ? around.run(call) : call.call();
        });
        return type.cast(proxy);
    }
}
