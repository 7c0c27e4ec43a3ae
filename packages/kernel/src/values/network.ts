/** Networks of callers: anonymous requests are counted by these, because whoever has one address of a network has all of them. */

const IPV6_GROUPS = 8

const groupsOf = (text: string): ReadonlyArray<string> => text === "" ? [] : text.split(":")

/** The 16-bit groups of an IPv6 address without leading zeros, with those that `::` stands for. */
const ipv6Groups = (address: string): ReadonlyArray<string> => {
  const [head = "", tail = ""] = address.split("::")
  const [before, after] = [groupsOf(head), groupsOf(tail)]
  const omitted = Array.from({ length: Math.max(0, IPV6_GROUPS - before.length - after.length) }, () => "0")
  return [...before, ...omitted, ...after].map((group) => group.replace(/^0+(?=.)/u, "").toLowerCase())
}

/** The network of an address: a /24 of IPv4, a /48 of IPv6. An IPv4 address that is written as IPv6 (`::ffff:192.0.2.1`) is IPv4. */
export const networkOf = (address: string): string => {
  const plain = address.replace(/^::ffff:(?=\d+\.)/iu, "")
  return plain.includes(":") ? ipv6Groups(plain).slice(0, 3).join(":") : plain.split(".").slice(0, 3).join(".")
}
