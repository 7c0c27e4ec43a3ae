import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import * as NetAddress from "effect/net/NetAddress"
import { BlockList } from "node:net"
import { specialPurpose } from "./addresses.ts"

const runs = { arbitrary: { runs: 1000 } }
const purpose = (address: string) => specialPurpose(NetAddress.ipFromStringUnsafe(address))
const Octet = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 })))
const ipv4 = Arbitrary.map(Arbitrary.all([Octet, Octet, Octet, Octet]), (octets) => octets.join("."))
const Segment = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 0xffff })))

describe("addresses that are not public", () => {
  it.for([
    "0.0.0.0",
    "0.255.255.255",
    "10.0.0.0",
    "10.255.255.255",
    "100.64.0.0",
    "100.100.100.200",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.255",
    "168.63.129.16",
    "169.254.0.0",
    "169.254.169.254",
    "169.254.170.2",
    "172.16.0.0",
    "172.31.255.255",
    "192.0.0.0",
    "192.0.0.8",
    "192.0.0.192",
    "192.0.2.1",
    "192.31.196.1",
    "192.52.193.1",
    "192.88.99.1",
    "192.168.0.0",
    "192.168.255.255",
    "192.175.48.1",
    "198.18.0.0",
    "198.19.255.255",
    "198.51.100.7",
    "203.0.113.9",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "::8.8.8.8",
    "::ffff:10.0.0.1",
    "::ffff:7f00:1",
    "::ffff:0:8.8.8.8",
    "64:ff9b::127.0.0.1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "100::1",
    "100:0:0:1::1",
    "200::1",
    "2001::1",
    "2001:0:7f00:1::",
    "2001:1::1",
    "2001:2::1",
    "2001:3::1",
    "2001:4:112::1",
    "2001:10::1",
    "2001:20::1",
    "2001:30::1",
    "2001:1ff:ffff::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:808:808::1",
    "2620:4f:8000::1",
    "3fff::1",
    "3fff:fff::1",
    "4000::1",
    "5f00::1",
    "8000::1",
    "fc00::1",
    "fd00:ec2::254",
    "fd20:ce::254",
    "fdff::1",
    "fe00::1",
    "fe80::1",
    "febf::1",
    "fec0::1",
    "ff02::1",
    "2a00:1450::5efe:a00:1",
    "2a00:1450:0:0:200:5efe:8.8.8.8"
  ])("%s is one", (address) => {
    assert.isString(purpose(address))
  })

  it.for([
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "168.63.129.15",
    "168.63.129.17",
    "169.253.255.255",
    "169.255.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "::ffff:8.8.8.8",
    "64:ff9b::8.8.8.8",
    "2001:200::1",
    "2001:4860:4860::8888",
    "2003::1",
    "2606:4700:4700::1111",
    "2620:4f:7fff::1",
    "2a00:1450:4001:80e::200e",
    "3ffe::1"
  ])("%s is not", (address) => {
    assert.isUndefined(purpose(address))
  })

  // Node's BlockList, an implementation of its own, with the blocks an IPv4 host must never be reached in.
  const inner = new BlockList()
  for (
    const [network, prefix] of [
      ["0.0.0.0", 8],
      ["10.0.0.0", 8],
      ["100.64.0.0", 10],
      ["127.0.0.0", 8],
      ["169.254.0.0", 16],
      ["172.16.0.0", 12],
      ["192.168.0.0", 16],
      ["224.0.0.0", 3]
    ] as const
  ) {
    inner.addSubnet(network, prefix)
  }

  it.prop("refuses whatever node's own block list knows as internal, in every embedding", [ipv4], ([address]) => {
    const refused = purpose(address) !== undefined
    if (inner.check(address)) assert.isTrue(refused)
    assert.strictEqual(purpose(`::ffff:${address}`) !== undefined, refused)
    assert.strictEqual(purpose(`64:ff9b::${address}`) !== undefined, refused)
    assert.isString(purpose(`::${address}`))
    assert.isString(purpose(`::ffff:0:${address}`))
  }, runs)

  it.prop("refuses all of IPv6 outside global unicast that is not an embedded IPv4", [
    Arbitrary.array(Segment, { minLength: 8, maxLength: 8 })
  ], ([segments]) => {
    const [first = 0] = segments
    if (first >= 0x100 && (first < 0x2000 || first > 0x3fff)) {
      assert.isString(purpose(segments.map((segment) => segment.toString(16)).join(":")))
    }
  }, runs)
})
