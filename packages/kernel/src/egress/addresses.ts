/**
 * Which IP addresses are not the public internet. The tables are the IANA special-purpose registries
 * (iana-ipv4-special-registry, iana-ipv6-special-registry, as of October 2025), multicast, deprecated
 * site-local space, and the one cloud metadata address that lies in public space. All listed blocks are
 * refused, also the few IANA marks as globally reachable, such as AS112: no customer lives there.
 */
import { Option } from "effect"
import * as IpNetwork from "effect/net/IpNetwork"
import * as NetAddress from "effect/net/NetAddress"

type Block = readonly [network: string, name: string]

const ipv4Blocks: ReadonlyArray<Block> = [
  ["0.0.0.0/8", "this network"],
  ["10.0.0.0/8", "private network"],
  ["100.64.0.0/10", "shared carrier space, cloud metadata"],
  ["127.0.0.0/8", "loopback"],
  ["168.63.129.16/32", "cloud metadata"],
  ["169.254.0.0/16", "link-local, cloud metadata"],
  ["172.16.0.0/12", "private network"],
  ["192.0.0.0/24", "IETF protocol assignments"],
  ["192.0.2.0/24", "documentation"],
  ["192.31.196.0/24", "AS112"],
  ["192.52.193.0/24", "AMT"],
  ["192.88.99.0/24", "deprecated 6to4 relay"],
  ["192.168.0.0/16", "private network"],
  ["192.175.48.0/24", "AS112"],
  ["198.18.0.0/15", "benchmarking"],
  ["198.51.100.0/24", "documentation"],
  ["203.0.113.0/24", "documentation"],
  ["224.0.0.0/4", "multicast"],
  ["240.0.0.0/4", "reserved, broadcast"]
]

// Blocks inside 2000::/3, the only part of IPv6 that is handed out as global unicast.
const ipv6Blocks: ReadonlyArray<Block> = [
  ["2001::/23", "IETF protocol assignments, Teredo, ORCHID"],
  ["2001:db8::/32", "documentation"],
  ["2002::/16", "6to4"],
  ["2620:4f:8000::/48", "AS112"],
  ["3fff::/20", "documentation"]
]

// Only for the name in the message: these lie outside 2000::/3 and are refused with all the rest.
const ipv6Outside: ReadonlyArray<Block> = [
  ["::/128", "unspecified"],
  ["::1/128", "loopback"],
  ["::/96", "deprecated IPv4-compatible"],
  ["::ffff:0:0:0/96", "translated IPv4"],
  ["64:ff9b:1::/48", "local NAT64"],
  ["100::/64", "discard"],
  ["100:0:0:1::/64", "dummy prefix"],
  ["5f00::/16", "SRv6 segments"],
  ["fc00::/7", "private network"],
  ["fe80::/10", "link-local"],
  ["fec0::/10", "deprecated site-local"],
  ["ff00::/8", "multicast"]
]

interface Table {
  readonly network: IpNetwork.IpNetwork
  readonly name: string
}

const table = (blocks: ReadonlyArray<Block>): ReadonlyArray<Table> =>
  blocks.map(([network, name]) => ({ network: IpNetwork.fromStringUnsafe(network), name }))

const ipv4Table = table(ipv4Blocks)
const ipv6Table = table(ipv6Blocks)
const ipv6OutsideTable = table(ipv6Outside)
const globalUnicast = IpNetwork.fromStringUnsafe("2000::/3")
const nat64 = IpNetwork.fromStringUnsafe("64:ff9b::/96")

const nameIn = (blocks: ReadonlyArray<Table>, address: NetAddress.IpAddress): string | undefined =>
  blocks.find(({ network }) => IpNetwork.contains(network, address))?.name

const lastFourOctets = (address: NetAddress.Ipv6Address): NetAddress.Ipv4Address =>
  NetAddress.ipv4FromBytesUnsafe(Uint8Array.from(NetAddress.ipv6ToOctets(address).slice(12)))

/** The IPv4 host an IPv6 address leads to: mapped (::ffff:0:0/96) or through the well-known NAT64 prefix. */
const embeddedIpv4 = (address: NetAddress.Ipv6Address): Option.Option<NetAddress.Ipv4Address> =>
  IpNetwork.contains(nat64, address) ? Option.some(lastFourOctets(address)) : NetAddress.fromIpv4Mapped(address)

// RFC 5214: an interface identifier 0:5efe or 200:5efe tunnels to the IPv4 address that follows it.
const isIsatap = (address: NetAddress.Ipv6Address): boolean => {
  const [, , , , high, low] = NetAddress.ipv6ToSegments(address)
  return (high === 0 || high === 0x200) && low === 0x5efe
}

/**
 * What a non-public address is for, such as "loopback"; undefined for an address of the public internet.
 * IPv6 forms that lead to an IPv4 host are judged by that host, tunnels are refused whatever they hold.
 */
export const specialPurpose = (address: NetAddress.IpAddress): string | undefined => {
  if (NetAddress.isIpv4Address(address)) return nameIn(ipv4Table, address)
  const ipv4 = embeddedIpv4(address)
  if (Option.isSome(ipv4)) return nameIn(ipv4Table, ipv4.value)
  if (!IpNetwork.contains(globalUnicast, address)) return nameIn(ipv6OutsideTable, address) ?? "not global unicast"
  return nameIn(ipv6Table, address) ?? (isIsatap(address) ? "ISATAP tunnel" : undefined)
}
