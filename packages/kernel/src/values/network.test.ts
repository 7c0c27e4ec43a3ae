import { assert, it } from "@effect/vitest"
import { networkOf } from "./network.ts"

it.each([
  ["192.0.2.1", "192.0.2"],
  ["::ffff:192.0.2.1", "192.0.2"],
  ["::FFFF:192.0.2.1", "192.0.2"],
  ["2001:db8:0:1:2:3:4:5", "2001:db8:0"],
  // The same /48 in each way to write it.
  ["2001:db8::5", "2001:db8:0"],
  ["2001:db8:0:1::5", "2001:db8:0"],
  ["2001:0DB8:0000::5", "2001:db8:0"],
  ["2001::5", "2001:0:0"],
  ["::1", "0:0:0"],
  ["fe80::1%eth0", "fe80:0:0"],
  ["unknown", "unknown"]
])("%s is of the network %s", (address, network) => assert.strictEqual(networkOf(address), network))
