package io.holdfast.lua.redis;

import java.util.HashMap;
import java.util.Map;

/**
 * What a Redis process says of itself, from INFO.
 *
 * @param processId identity of the process together with its replication history. A restart changes the first; a replica that is promoted
 *     changes the second, even where the same process was the master before and lost writes in between
 * @param role {@code master} or {@code slave}
 * @param mode {@code standalone}, {@code sentinel} or {@code cluster}; Valkey has another name for it than Redis
 * @param loading whether it still reads its data
 * @param evictionPolicy {@code maxmemory-policy}
 */
record ServerInfo(String processId, String role, String mode, boolean loading, String evictionPolicy) {

    static ServerInfo read(String info) {
        Map<String, String> fields = new HashMap<>();
        info.lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.put(line.substring(0, colon), line.substring(colon + 1).strip());
            }
        });
        return new ServerInfo(
                fields.getOrDefault("run_id", "") + ":" + fields.getOrDefault("master_replid", ""),
                fields.getOrDefault("role", ""),
                fields.getOrDefault("redis_mode", fields.getOrDefault("server_mode", "")),
                "1".equals(fields.get("loading")),
                fields.getOrDefault("maxmemory_policy", ""));
    }
}
