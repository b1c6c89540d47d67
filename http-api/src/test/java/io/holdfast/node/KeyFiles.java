package io.holdfast.node;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Makes key files with the JDK's own tool. */
final class KeyFiles {

    static final String PASSWORD = "changeit";

    private KeyFiles() {}

    /** A PKCS#12 file with a key that signed its own certificate for this machine. */
    static Path selfSigned(Path file, String name) throws IOException, InterruptedException {
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
}
