package io.holdfast.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Optional;

/**
 * A {@code tls} section: a PKCS#12 file with a key.
 *
 * @param keystore the file
 * @param password its password
 */
public record TlsSection(Path keystore, Secret password) {

    /** Empty when no file is named. The file is opened here, so that a wrong password is found before anything starts. */
    static Optional<TlsSection> read(SettingsReader reader) {
        Secret password = reader.secret("keystore-password");
        Optional<Path> file = reader.file("keystore");
        if (file.isEmpty() && !password.isEmpty()) {
            throw reader.complaint("keystore", "a keystore-password is set, but no keystore");
        }
        file.ifPresent(path -> requireKey(reader, path, password));
        return file.map(path -> new TlsSection(path, password));
    }

    private static void requireKey(SettingsReader reader, Path file, Secret password) {
        try {
            var aliases = open(file, password).aliases();
            if (!aliases.hasMoreElements()) {
                throw reader.complaint("keystore", "the file holds no key");
            }
        } catch (GeneralSecurityException | IOException e) {
            throw reader.complaint(
                    "keystore", "it does not open as PKCS#12 with keystore-password (" + e.getMessage() + ")");
        }
    }

    /** The open store. */
    public KeyStore open() throws GeneralSecurityException, IOException {
        return open(keystore, password);
    }

    private static KeyStore open(Path file, Secret password) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(file)) {
            store.load(in, password.reveal().toCharArray());
        }
        return store;
    }
}
