package io.holdfast.messaging.webhook;

import java.net.Inet4Address;
import java.net.InetAddress;

/**
 * Which addresses are anybody's, and which are of this machine, of a private network, or of none: calling those would let whoever registers
 * a webhook reach what only this machine reaches. Pure.
 */
public final class PublicAddresses {

    private PublicAddresses() {}

    /** Whether the address is one on the public internet. */
    public static boolean isPublic(InetAddress address) {
        if (address.isAnyLocalAddress()
                || address.isLoopbackAddress()
                || address.isLinkLocalAddress()
                || address.isSiteLocalAddress()
                || address.isMulticastAddress()) {
            return false;
        }
        byte[] bytes = address.getAddress();
        return address instanceof Inet4Address ? isPublicV4(bytes, 0) : isPublicV6(bytes);
    }

    private static boolean isPublicV4(byte[] bytes, int at) {
        int a = bytes[at] & 0xff;
        int b = bytes[at + 1] & 0xff;
        int c = bytes[at + 2] & 0xff;
        return switch (a) {
            case 0, 10, 127 -> false;
            case 100 -> b < 64 || b > 127; // shared by carriers
            case 169 -> b != 254; // link-local, and what clouds tell their machines
            case 172 -> b < 16 || b > 31;
            case 192 -> b != 168 && !(b == 0 && (c == 0 || c == 2)) && !(b == 88 && c == 99);
            case 198 -> b != 18 && b != 19 && !(b == 51 && c == 100);
            case 203 -> !(b == 0 && c == 113);
            default -> a < 224; // multicast and reserved above
        };
    }

    private static boolean isPublicV6(byte[] bytes) {
        int first = (bytes[0] & 0xff) << 8 | (bytes[1] & 0xff);
        int second = (bytes[2] & 0xff) << 8 | (bytes[3] & 0xff);
        if (first == 0x64 && second == 0xff9b) {
            return isPublicV4(bytes, 12); // an IPv4 address behind a translator
        }
        if (first == 0x2002) {
            return isPublicV4(bytes, 2); // and one behind a tunnel
        }
        boolean global = first >= 0x2000 && first <= 0x3fff;
        boolean special = (first == 0x2001 && (second < 0x0200 || second == 0x0db8)) || first == 0x3fff;
        return global && !special;
    }
}
