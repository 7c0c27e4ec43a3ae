/** What breaks services: values, keys, ids, queries and headers that somebody has once sent somewhere. */

/** Published test numbers in spellings that are refused, and a track of a magnetic stripe. None may come back in an answer. */
export const cardNumbers = ["4242424242424242", "5555 5555 5555 4444", "3782-822463-10005", "%B4111111111111111^DOE/JANE^27121010000000000000?"]

const texts = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\u2028\u202e",
  "\ufeff",
  "é",
  "😀",
  "null",
  "NaN",
  "1e3",
  "true",
  "__proto__",
  "' OR 1=1 --",
  "${jndi:ldap://127.0.0.1/a}",
  "../../etc/passwd",
  "<script>alert(1)</script>",
  "%s%n",
  "2026-13-45T99:99:99Z",
  "2026-01-01",
  "+275760-09-13T00:00:00.000Z",
  "-271821-04-20T00:00:00.000Z",
  "0000-00-00T00:00:00.000Z",
  "usd",
  "XXX",
  "a".repeat(256),
  "a".repeat(10_000),
  ...cardNumbers
]

const deep = (open: string, middle: string, close: string) => open.repeat(10_000) + middle + close.repeat(10_000)

/** JSON texts in the place of a value; some of them are not JSON at all. */
export const rawValues: ReadonlyArray<string> = [
  "null", "true", "false", "[]", "{}", "[[]]", "[null]", "{\"a\":{\"b\":{}}}",
  "0", "-0", "-1", "1", "1.5", "1.0", "1e400", "-1e400", "1e-400", "1E2", "9007199254740991", "9007199254740992", "9007199254740993", "-9007199254740993", "99999999999999999999999999", "6205500000000000004", "4.242424242424242e+15", "\"4242\\u00204242\\u00204242\\u00204242\"",
  "NaN", "Infinity", "-Infinity", "undefined", "0x10", "01", "+1", "1.", ".5", "'text'", "\"\\x41\"", "\"unclosed", "\"tab\there\"", "truee", "/* */1", "1,",
  "\"\\ud800\"", "\"\\udc00\\ud800\"", "\"a\\u0000b\"", "\"\\u0034242424242424242\"", "4242424242424242", "\"42424242\\u002042424242\"",
  ...["a\\\\", "a\\\"", "a\\n", "a\\u0000", "\\ud800", "cl\\u00e9", "\\u005f_proto__", "a\\x", "a\\"].map((name) => `{"${name}":"v"}`),
  "{\"__proto__\":1}", "{\"constructor\":{\"prototype\":{}}}", "{\"toJSON\":1}", "{\"_tag\":\"Some\",\"value\":1}",
  ...texts.map((text) => JSON.stringify(text)),
  deep("[", "1", "]"),
  deep("{\"a\":", "1", "}")
]

/** Names of fields that nobody knows. */
export const unknownKeys: ReadonlyArray<string> = [
  "__proto__",
  "constructor",
  "prototype",
  "hasOwnProperty",
  "toString",
  "_tag",
  "",
  " amount",
  "Amount",
  "a.b",
  "a[b]",
  "id",
  "merchant_id",
  "state",
  "a\\",
  "a\"",
  "\n",
  "\u2028",
  "é",
  "k".repeat(300),
  "😀",
  "\u0000",
  ...cardNumbers
]

/** Whole bodies. */
export const bodies: ReadonlyArray<string> = [
  "",
  " ",
  "null",
  "true",
  "1",
  "\"text\"",
  "[]",
  "[{}]",
  "{",
  "{}",
  "}",
  "{\"a\":",
  "{'a':1}",
  "{a:1}",
  "{\"a\":1,}",
  "{}{}",
  "{} trailing",
  "\ufeff{}",
  "undefined",
  "NaN",
  "a=1&b=2",
  "<xml/>",
  "\u0000",
  "\"\\ud800\"",
  deep("[", "", "]"),
  deep("{\"a\":", "1", "}"),
  "[".repeat(10_000),
  `"${"a".repeat(200_000)}"`,
  `[${"0,".repeat(50_000)}0]`,
  ...cardNumbers.map((number) => JSON.stringify(number))
]

/** Bytes that are not UTF-8, or not text. */
export const byteBodies: ReadonlyArray<Buffer> = [
  Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
  Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from([0xc0, 0x80]),
  Buffer.from([0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00]),
  Buffer.alloc(1024)
]

/** Path segments as they stand in the request; `{real}` becomes an id that exists. */
export const segments: ReadonlyArray<string> = [
  "%2F", "%2f..%2f..", "..%2F..%2Fetc", ".", "..", "%2e%2e", "%00", "{real}%00", "%ff", "%c0%80", "%E0%A4%A", "%", "%zz", "%u0041",
  "%20", "%09", "%0d%0aX-Header:1", "%C3%A9", "%F0%9F%98%80", "\u00e9", "%ED%A0%80", "{real}%20", "{real}/", "{real}/x", "{real};a=b", "{real}?x=1", "{real}%3Fx", "{real}#x",
  "0", "-1", "null", "undefined", "NaN", "*", ":id", "%7Bid%7D", "__proto__", "constructor", "toString", "'%20OR%201=1", "pi_", "PI_01KDVK5D80000000000000000A",
  "a".repeat(10_000),
  `pi_${"0".repeat(5_000)}`,
  "%41".repeat(1_000),
  ...cardNumbers.map((number) => encodeURIComponent(number))
]

/** Values in a query as they stand in the request. */
export const queryTexts: ReadonlyArray<string> = [
  "", "-1", "0", "1", "2", "100", "101", "1e9", "1.5", "+1", "-0", "01", "0x1", "1e400", "9007199254740991", "9007199254740993", "NaN", "Infinity", "99999999999999999999",
  "abc", "null", "true", "[]", "{}", "%00", "a%00b", "%ff", "%", "%zz", "%ED%A0%80", "%20", "+", "%F0%9F%98%80", "'", "%27%20OR%201=1--", "..", "%3Cscript%3E", "usd", "USD", "XXX", "created", "CREATED",
  "2026-01-01", "2026-13-01T00:00:00Z", "2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00%2B02:00", "-271821-04-20T00:00:00.000Z", "%2B275760-09-13T00:00:00.000Z", "0000-01-01T00:00:00.000Z", "-000001-01-01T00:00:00.000Z",
  "a".repeat(256),
  "a".repeat(8_000),
  ...cardNumbers.map((number) => encodeURIComponent(number))
]

export const contentTypes: ReadonlyArray<string> = [
  "text/plain",
  "text/html",
  "application/xml",
  "application/octet-stream",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "multipart/form-data; boundary=x",
  "application/json; charset=utf-16",
  "application/json;charset=\"UTF-8\"",
  "application/json; charset=4242424242424242",
  "application/json; charset=\"",
  "application/json;",
  "Application/JSON",
  "application/json, text/plain",
  "application/jsonp",
  "application/merge-patch+json",
  "json",
  "",
  ";",
  "a".repeat(1_000)
]

/** Headers as name and value; `{key}` becomes a key that is accepted. */
export const headers: ReadonlyArray<readonly [name: string, value: string]> = [
  ...["", "latest", "2026-11-01", "2020-01-01", "9999-99-99", "2026-11-01, 2026-11-01", "20261101", "\u00ff", "0".repeat(4_000), "4242424242424242"].map((value) => ["API-Version", value] as const),
  ...["*", "1", "\"1\"", "W/\"1\"", "\"1\", \"2\"", "0", "-1", "1.5", "\"\"", "abc", "999999999999999", "9999999999999999", "\u00e9", "4242424242424242"].map((value) => ["If-Match", value] as const),
  ...["", "x", "a b", "\u00e9", "a\tb", "\"quoted\"", "__proto__", "a".repeat(255), "a".repeat(256), "a".repeat(4_000), ...cardNumbers].map((value) => ["Idempotency-Key", value] as const),
  ...["", "Bearer", "Bearer ", "Bearer  {key}", "bearer {key}", "BEARER {key}", "{key}", "Bearer {key} x", "Bearer {key},{key}", "Basic {key}", "Basic c2tfbGl2ZV86", "Digest x", "Bearer null", "Bearer sk_live_", "Bearer sk_test_0000000000000000000000000000", "Bearer \u00e9", "Bearer %00", "Bearer 4242424242424242", `Bearer ${"a".repeat(8_000)}`].map((value) => ["Authorization", value] as const),
  ...["gzip", "br", "identity", "deflate, gzip", "x"].map((value) => ["Content-Encoding", value] as const),
  ...["text/html", "*/*", "application/xml;q=1", ";;", "application/json;q=0", ""].map((value) => ["Accept", value] as const),
  ...["100-continue", "100-Continue", "200-ok", "", "4242424242424242"].map((value) => ["Expect", value] as const),
  ["X-HTTP-Method-Override", "DELETE"],
  ["X-Forwarded-For", "4242424242424242, ::1, x"],
  ["X-Forwarded-Host", "evil.test"],
  ["Cookie", "a=b; c=%; __proto__=1; =;;"],
  ["traceparent", "00-zz-zz-01"],
  ["traceparent", "00-00000000000000000000000000000000-0000000000000000-00"],
  ["b3", "not-a-trace"],
  ["Range", "bytes=0-1"],
  ["If-None-Match", "*"],
  ["Origin", "null"],
  ["Content-Language", "\u00ff"],
  ["X-Control", "a\u0001b"],
  ["X-Nul", "a\u0000b"],
  ["Bad Name", "x"],
  ["X-Huge", "a".repeat(20_000)]
]

export const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "SEARCH", "BREW", "get"] as const
