package io.holdfast.node;

import io.holdfast.config.SettingsException;
import io.holdfast.config.TlsSection;
import java.io.IOException;
import java.security.GeneralSecurityException;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** Makes what the JDK needs to speak TLS out of a key file. */
final class Tls {

    private Tls() {}

    /** For a server that proves itself with the key in the file and asks nothing of its clients. */
    static SSLContext server(TlsSection section) {
        try {
            var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(section.open(), section.password().reveal().toCharArray());
            var context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new SettingsException("The key in " + section.keystore() + " can't be used for TLS (" + e.getMessage()
                    + "): make a PKCS#12 file whose key has the file's own password.");
        }
    }
}
