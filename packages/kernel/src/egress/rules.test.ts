import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as NetAddress from "effect/net/NetAddress"
import { EgressPolicy } from "./model.ts"
import { checkAnswers, checkUrl, endpointOf } from "./rules.ts"

const none: EgressPolicy = { allow: [] }
const verdict = (url: string, policy: EgressPolicy = none): string =>
  Result.match(checkUrl(url, policy), { onSuccess: (passed) => passed.href, onFailure: ({ reason }) => reason })

describe("checkUrl passes public endpoints", () => {
  it.for(
    [
      ["https://example.com/hooks", "https://example.com/hooks"],
      ["http://example.com", "http://example.com/"],
      ["https://example.com:443/", "https://example.com/"],
      ["https://example.com:8443/a?b=c", "https://example.com:8443/a?b=c"],
      ["http://example.com:8080/", "http://example.com:8080/"],
      ["https://example.com:80/", "https://example.com:80/"],
      ["http://example.com:443/", "http://example.com:443/"],
      ["HTTPS://EXAMPLE.COM/Hooks", "https://example.com/Hooks"],
      ["https://example.com./hooks", "https://example.com/hooks"],
      ["https://example.com/#fragment", "https://example.com/"],
      ["https://hooks_1.example.com/", "https://hooks_1.example.com/"],
      ["https://bücher.example/", "https://xn--bcher-kva.example/"],
      ["https://localhost.example.com/", "https://localhost.example.com/"],
      ["https://notlocalhost.com/", "https://notlocalhost.com/"],
      ["https://internal.example.com/", "https://internal.example.com/"],
      ["https://8.8.8.8/", "https://8.8.8.8/"],
      ["https://134744072/", "https://8.8.8.8/"],
      ["https://[2606:4700:4700::1111]/", "https://[2606:4700:4700::1111]/"],
      ["https://[::ffff:8.8.8.8]/", "https://[::ffff:808:808]/"],
      ["https://[64:ff9b::8.8.8.8]/", "https://[64:ff9b::808:808]/"]
    ] as const
  )("%s", ([url, href]) => {
    assert.strictEqual(verdict(url), href)
  })
})

describe("checkUrl refuses addresses in every spelling", () => {
  it.for([
    "http://127.0.0.1/",
    "http://127.1/",
    "http://127.0.1/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0x7f.0.0.1/",
    "http://0x7f.1/",
    "http://017700000001/",
    "http://0177.0.0.1/",
    "http://0177.0.0.01/",
    "http://0x7f.0.0.0x1/",
    "http://127.0.0.1./",
    "http://%31%32%37.0.0.1/",
    "http://①②⑦.⓪.⓪.①/",
    "http://１２７.０.０.１/",
    "http://127。0。0。1/",
    "http://127.0.0.1:80/",
    "http:127.0.0.1/",
    "http:/127.0.0.1/",
    "http:///127.0.0.1/",
    "http://127.0.0.1:8080/",
    "https://127.0.0.1:8443/",
    "http://127.0.0.1:4242/",
    "http://127.0.0.1?@example.com/",
    "http://127.0.0.1#@example.com/",
    "http://0/",
    "http://0.0.0.0/",
    "http://00/",
    "http://10.0.0.1/",
    "http://10.1/",
    "http://0xa000001/",
    "http://012.1/",
    "http://167772161/",
    "http://172.16.0.1/",
    "http://172.31.255.254/",
    "http://192.168.1.1/",
    "http://3232235777/",
    "http://0300.0250.1.1/",
    "http://100.64.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://2852039166/",
    "http://0xa9fea9fe/",
    "http://0251.0376.0251.0376/",
    "http://169.254.43518/",
    "http://169.254.170.2/v2/credentials",
    "http://100.100.100.200/",
    "http://168.63.129.16/",
    "http://192.0.0.192/",
    "http://198.18.0.1/",
    "http://192.0.2.1/",
    "http://198.51.100.1/",
    "http://203.0.113.1/",
    "http://224.0.0.1/",
    "http://255.255.255.255/",
    "http://240.0.0.1/",
    "http://[::1]/",
    "http://[::]/",
    "http://[0:0:0:0:0:0:0:1]/",
    "http://[0000::0001]/",
    "http://[::1]:8080/",
    "http://[::127.0.0.1]/",
    "http://[::7f00:1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[0:0:0:0:0:ffff:7f00:1]/",
    "http://[::FFFF:A9FE:A9FE]/",
    "http://[::ffff:0:127.0.0.1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[64:ff9b::169.254.169.254]/",
    "http://[64:ff9b:1::1]/",
    "http://[2002:7f00:1::]/",
    "http://[2002:a9fe:a9fe::1]/",
    "http://[2001:0:7f00:1::]/",
    "http://[2001:db8::1]/",
    "http://[fe80::1]/",
    "http://[fc00::1]/",
    "http://[fd00:ec2::254]/",
    "http://[fd20:ce::254]/",
    "http://[fec0::1]/",
    "http://[ff02::1]/",
    "http://[100::1]/",
    "http://[5f00::1]/",
    "http://[3fff::1]/",
    "http://localhost/",
    "http://LOCALHOST/",
    "http://localhost./",
    "http://localhost../",
    "http://localhost:8080/",
    "http://foo.localhost/",
    "http://foo.localhost./",
    "http://ｌｏｃａｌｈｏｓｔ/",
    "http://loc%61lhost/",
    "http://localhost.localdomain/",
    "http://ip6-localhost/",
    "http://metadata/",
    "http://metadata.google.internal/",
    "http://redis/",
    "https://./",
    "http://postgres.svc.cluster.local/",
    "http://printer.local/",
    "http://nas.home.arpa/",
    "http://abc.onion/",
    "http://instance-data.ec2.internal/"
  ])("%s", (url) => {
    assert.strictEqual(verdict(url), "refused_address")
  })
})

describe("checkUrl refuses what is no plain web URL", () => {
  it.for([
    "",
    "example.com",
    "//example.com/",
    "/hooks",
    "https://",
    "https:///",
    "https://?x",
    "https://..",
    "https://a..b/",
    "https://-a.example/",
    "https://exa mple.com/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "gopher://example.com:80/",
    "ws://example.com/",
    "wss://example.com/",
    "data:text/plain,x",
    "javascript:alert(1)",
    "blob:https://example.com/1",
    "dict://example.com/",
    "unix:/var/run/docker.sock",
    "view-source:https://example.com/",
    "https://user@example.com/",
    "https://user:secret@example.com/",
    "https://:secret@example.com/",
    "https://example.com@127.0.0.1/",
    "https://127.0.0.1@example.com/",
    "https://example.com:22/",
    "https://example.com:25/",
    "https://example.com:5432/",
    "https://example.com:6379/",
    "https://example.com:0/",
    "https://example.com:9200/",
    "https://example.com:65536/",
    "https://example.com:-1/",
    "https://8.8.8.8:53/",
    "https://[2606:4700:4700::1111]:8081/",
    "http:\\\\127.0.0.1\\",
    "https://example.com\\@127.0.0.1/",
    "https://exam\tple.com/",
    "https://example.com/\r\nHost: x",
    " https://example.com/",
    "https://example.com/ ",
    "https://example.com/\u0000",
    "https://256.256.256.256/",
    "https://1.2.3.4.5/",
    "https://0x100000000/",
    "https://[::1/",
    "https://[fe80::1%25eth0]/",
    "https://[1::2::3]/",
    "https://exa%00mple.com/",
    "https://exa%2fmple.com/",
    `https://example.com/${"x".repeat(2048)}`,
    `https://${"a".repeat(64)}.example/`
  ])("%j", (url) => {
    const result = checkUrl(url, none)
    assert.strictEqual(verdict(url), "invalid_url")
    assert.isTrue(Result.isFailure(result))
    if (Result.isFailure(result)) assert.notInclude(result.failure.message, "secret")
  })
})

describe("the allow list", () => {
  it.for<readonly [url: string, allow: ReadonlyArray<string>, expected: "passes" | "invalid_url" | "refused_address"]>([
    ["http://127.0.0.1/", ["127.0.0.1"], "passes"],
    ["http://127.0.0.1:4242/", ["127.0.0.1"], "passes"],
    ["http://2130706433:4242/", ["127.0.0.1"], "passes"],
    ["http://[::ffff:127.0.0.1]:4242/", ["127.0.0.1"], "passes"],
    ["http://127.0.0.1:1/", ["::ffff:127.0.0.1"], "passes"],
    ["http://127.0.0.1:4242/", ["127.0.0.1:4242"], "passes"],
    ["http://127.0.0.1:4243/", ["127.0.0.1:4242"], "refused_address"],
    ["http://127.0.0.1/", ["127.0.0.1:80"], "passes"],
    ["https://127.0.0.1/", ["127.0.0.1:80"], "refused_address"],
    ["http://127.0.0.2/", ["127.0.0.1"], "refused_address"],
    ["http://localhost/", ["127.0.0.1"], "refused_address"],
    ["http://10.1.2.3:9/", ["10.0.0.0/8"], "passes"],
    ["http://11.1.2.3:9/", ["10.0.0.0/8"], "invalid_url"],
    ["http://[::1]:9/", ["::1"], "passes"],
    ["http://[::1]:9/", ["[::1]:9"], "passes"],
    ["http://[::1]:10/", ["[::1]:9"], "refused_address"],
    ["http://[fd00::1]:9/", ["fd00::/8"], "passes"],
    ["http://[fe80::1]/", ["fd00::/8"], "refused_address"],
    ["http://localhost:4242/", ["localhost"], "passes"],
    ["http://LOCALHOST.:4242/", ["localhost"], "passes"],
    ["http://localhost:4242/", ["localhost:4242"], "passes"],
    ["http://localhost:4243/", ["localhost:4242"], "refused_address"],
    ["http://a.localhost/", ["localhost"], "refused_address"],
    ["http://receiver/", ["receiver"], "passes"],
    ["http://receiver.internal:5000/", ["receiver.internal"], "passes"],
    ["https://example.com:9200/", ["example.com"], "passes"],
    ["https://www.example.com:9200/", ["example.com"], "invalid_url"],
    ["ftp://127.0.0.1/", ["127.0.0.1"], "invalid_url"],
    ["http://user@127.0.0.1/", ["127.0.0.1"], "invalid_url"],
    ["http://169.254.169.254/", ["127.0.0.0/8", "10.0.0.0/8"], "refused_address"]
  ])("%s with %j: %s", ([url, allow, expected]) => {
    assert.strictEqual(Result.isSuccess(checkUrl(url, { allow })) ? "passes" : verdict(url, { allow }), expected)
  })

  it.for([
    "",
    "http://localhost",
    "127.0.0.1/33",
    "127.0.0.1/8",
    "localhost:",
    "localhost:99999",
    "*.example.com",
    "a b",
    "[::1]",
    "10.0.0.0/8:80"
  ])("has no entry %j", (entry) => {
    assert.isTrue(Result.isFailure(Schema.decodeResult(EgressPolicy)({ allow: [entry] })))
    assert.throws(() => checkUrl("https://example.com/", { allow: [entry] }), /not an entry of an egress allow list/)
  })
})

describe("checkAnswers", () => {
  const answers = (name: string, addresses: ReadonlyArray<string>, allow: ReadonlyArray<string> = [], port = 443): string =>
    Result.match(checkAnswers(name, port, addresses.map(NetAddress.ipFromStringUnsafe), { allow }), {
      onSuccess: () => "passes",
      onFailure: ({ reason }) => reason
    })

  it.for<readonly [label: string, outcome: string, expected: "passes" | "refused_address"]>([
    ["one public address", answers("example.com", ["8.8.8.8"]), "passes"],
    ["public addresses of both families", answers("example.com", ["8.8.8.8", "2606:4700:4700::1111"]), "passes"],
    ["a private one", answers("example.com", ["10.0.0.1"]), "refused_address"],
    ["a private one last", answers("example.com", ["8.8.8.8", "1.1.1.1", "10.0.0.1"]), "refused_address"],
    ["a private one first", answers("example.com", ["10.0.0.1", "8.8.8.8"]), "refused_address"],
    ["a private IPv6 beside a public IPv4", answers("example.com", ["8.8.8.8", "fd00::1"]), "refused_address"],
    ["loopback, as wildcard DNS services answer", answers("127.0.0.1.nip.io", ["127.0.0.1"]), "refused_address"],
    ["metadata", answers("metadata.example.com", ["169.254.169.254"]), "refused_address"],
    ["a mapped loopback", answers("example.com", ["::ffff:127.0.0.1"]), "refused_address"],
    ["an address on the list", answers("example.com", ["10.0.0.1"], ["10.0.0.0/8"]), "passes"],
    ["one on the list and one not", answers("example.com", ["10.0.0.1", "192.168.0.1"], ["10.0.0.0/8"]), "refused_address"],
    ["an address on the list for another port", answers("example.com", ["127.0.0.1"], ["127.0.0.1:4242"]), "refused_address"],
    ["a name on the list, whatever it answers", answers("localhost", ["127.0.0.1", "::1"], ["localhost"], 4242), "passes"],
    ["a name on the list for another port", answers("localhost", ["127.0.0.1"], ["localhost:4243"], 4242), "refused_address"]
  ])("%s: %s", ([, outcome, expected]) => {
    assert.strictEqual(outcome, expected)
  })

  it("does not tell the address, which may be that of an inner network", () => {
    const result = checkAnswers("example.com", 443, [NetAddress.ipFromStringUnsafe("10.1.2.3")], none)
    if (Result.isSuccess(result)) return assert.fail("passed")
    assert.match(result.failure.message, /^example\.com resolves to an address that is not public/)
    assert.notInclude(result.failure.message, "10.1.2.3")
  })
})

describe("endpointOf", () => {
  it.for(
    [
      ["http://example.com/", "example.com", 80],
      ["https://example.com/", "example.com", 443],
      ["https://example.com:8443/", "example.com", 8443],
      ["http://[2606:4700::1]/", "2606:4700::1", 80]
    ] as const
  )("%s", ([url, host, port]) => {
    assert.deepStrictEqual(endpointOf(new URL(url)), { host, port })
  })
})
