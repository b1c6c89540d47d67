package io.holdfast.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/** Makes key files with the JDK's own tool, for the tests of every module. */
public final class KeyFiles {

    /** Of every file. */
    public static final String PASSWORD = "changeit";

    private KeyFiles() {}

    /** A PKCS#12 file with a key that signed its own certificate for this machine. */
    public static Path selfSigned(Path file, String name) throws IOException, InterruptedException {
        var process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        name,
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-validity",
                        "30",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        file.toString()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (process.waitFor() != 0) {
            throw new IOException("keytool failed with " + process.exitValue());
        }
        return file;
    }

    /** The certificate and the key of a file, each in a file of its own beside it, as other servers read them. */
    public static Pem pem(Path file, String name) throws IOException {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            try (var in = Files.newInputStream(file)) {
                store.load(in, PASSWORD.toCharArray());
            }
            return new Pem(
                    written(
                            file.resolveSibling(name + "-certificate.pem"),
                            "CERTIFICATE",
                            store.getCertificate(name).getEncoded()),
                    written(
                            file.resolveSibling(name + "-key.pem"),
                            "PRIVATE KEY",
                            store.getKey(name, PASSWORD.toCharArray()).getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    /** Two files. */
    public record Pem(Path certificate, Path key) {}

    private static Path written(Path file, String kind, byte[] der) throws IOException {
        String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return Files.writeString(file, "-----BEGIN " + kind + "-----\n" + base64 + "\n-----END " + kind + "-----\n");
    }
}
