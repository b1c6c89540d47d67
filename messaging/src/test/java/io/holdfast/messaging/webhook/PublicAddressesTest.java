package io.holdfast.messaging.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class PublicAddressesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.8.8.8",
                "0.0.0.0",
                "0.1.2.3",
                "10.0.0.1",
                "172.16.0.1",
                "172.31.255.255",
                "192.168.1.1",
                "169.254.169.254",
                "100.64.0.1",
                "100.127.255.255",
                "192.0.0.8",
                "192.0.2.1",
                "192.88.99.1",
                "198.18.0.1",
                "198.19.255.255",
                "198.51.100.7",
                "203.0.113.9",
                "224.0.0.1",
                "239.1.1.1",
                "240.0.0.1",
                "255.255.255.255",
                "::1",
                "::",
                "fe80::1",
                "fc00::1",
                "fd12:3456::1",
                "ff02::1",
                "fec0::1",
                "::ffff:127.0.0.1",
                "::ffff:10.0.0.1",
                "::7f00:1",
                "64:ff9b::7f00:1",
                "64:ff9b::a00:1",
                "2002:7f00:1::",
                "2002:c0a8:101::",
                "2001::1",
                "2001:db8::1",
                "100::1",
                "3fff::1",
                "4000::1"
            })
    void of_this_machine_of_a_private_network_or_of_none(String address) throws UnknownHostException {
        assertThat(PublicAddresses.isPublic(InetAddress.getByName(address))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "8.8.8.8",
                "1.1.1.1",
                "100.63.255.255",
                "100.128.0.1",
                "172.15.0.1",
                "172.32.0.1",
                "192.0.1.1",
                "192.167.1.1",
                "198.17.1.1",
                "198.20.1.1",
                "203.0.112.1",
                "223.255.255.254",
                "169.253.1.1",
                "2606:4700::1111",
                "2001:4860:4860::8888",
                "2a00::1",
                "64:ff9b::808:808",
                "2002:808:808::"
            })
    void on_the_public_internet(String address) throws UnknownHostException {
        assertThat(PublicAddresses.isPublic(InetAddress.getByName(address))).isTrue();
    }
}
