package io.holdfast.node;

import io.holdfast.config.Settings;
import io.holdfast.config.SettingsException;
import io.holdfast.reservation.domain.SaleKeys;
import io.holdfast.reservation.view.SaleKeyVersions;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/** The secrets that ids of admissions are made with, as the settings have them; and whether those that sales keep are among them. */
final class GateSecrets {

    private GateSecrets() {}

    /**
     * The keys of this node.
     *
     * @throws SettingsException if a sale keeps a version there is no secret of
     * @throws StartException if the database does not answer within the start patience
     */
    static SaleKeys require(Settings settings) {
        SaleKeys keys = keys(settings);
        var versions = new SaleKeyVersions(
                Sessions.single(settings.postgres(), settings.postgres().projector()));
        SortedSet<Integer> missing = keys.missing(StartQuestion.waitFor(
                settings.postgres(), "PostgreSQL, asked which secrets sales keep", versions::inUse));
        if (!missing.isEmpty()) {
            throw new SettingsException("holdfast.gate.secrets has no secret of version " + missing.first()
                    + ", which a sale keeps: with another one a repeated request would become a second one. Set it in"
                    + " the settings file or as HOLDFAST_GATE_SECRETS.");
        }
        return keys;
    }

    private static SaleKeys keys(Settings settings) {
        SortedMap<Integer, byte[]> secrets = new TreeMap<>();
        settings.gate()
                .secrets(settings.node().mode())
                .forEach(
                        (version, secret) -> secrets.put(version, HexFormat.of().parseHex(secret.reveal())));
        return new SaleKeys(Map.copyOf(secrets));
    }
}
