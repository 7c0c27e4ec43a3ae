/** What is sent to the listener byte for byte, and what it answers: no client in between mends anything. */
import { assert, layer } from "@effect/vitest"
import { errorCodes } from "@svc/kernel/resource/errors"
import type { ErrorCodeName } from "@svc/kernel/resource/errors"
import { jsonOf, layer as service, openMerchant } from "@svc/testkit/contract/service"
import { Effect } from "effect"
import { HttpServer } from "effect/http"
import { randomUUID } from "node:crypto"
import { connect } from "node:net"

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** All that comes back over a connection of its own until the server closes it. */
const talk = Effect.fnUntraced(function*(...parts: ReadonlyArray<string | Buffer>) {
  const { address } = yield* HttpServer.HttpServer
  const port = Number(new URL(HttpServer.formatAddress(address)).port)
  return yield* Effect.callback<string>((resume) => {
    const received: Array<Buffer> = []
    const socket = connect(port, "127.0.0.1")
    socket.on("data", (chunk: Buffer) => void received.push(chunk))
    socket.on("error", (error) => resume(Effect.die(error)))
    socket.on("end", () => resume(Effect.succeed(Buffer.concat(received).toString("utf8"))))
    socket.write(Buffer.concat(parts.map((part) => typeof part === "string" ? Buffer.from(part, "latin1") : part)))
    return Effect.sync(() => socket.destroy())
  })
})

const answerOf = (text: string): Answer => {
  const end = text.indexOf("\r\n\r\n")
  const [first = "", ...fields] = text.slice(0, end).split("\r\n")
  const headers = Object.fromEntries(
    fields.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()])
  )
  return { status: Number(first.split(" ")[1]), headers, text: text.slice(end + 4) }
}

/** Answers one after another, each as long as its Content-Length says. */
const answersOf = (text: string): ReadonlyArray<Answer> => {
  const answers: Array<Answer> = []
  for (let rest = text; rest !== "";) {
    const answer = answerOf(rest)
    const length = Number(answer.headers["content-length"])
    answers.push({ ...answer, text: answer.text.slice(0, length) })
    rest = answer.text.slice(length)
  }
  return answers
}

/** One request of these lines on a connection of its own, and all that comes back. */
const exchange = (lines: ReadonlyArray<string>, body: Buffer = Buffer.alloc(0)) =>
  Effect.map(talk([...lines, "Connection: close", "", ""].join("\r\n"), body), answerOf)

/** The shape of a refusal, and that it is this one. */
const assertRefused = (answer: Answer, name: ErrorCodeName, code?: string) => {
  const body = jsonOf(answer)
  assert.deepStrictEqual([answer.status, body["error"], body["code"]], [errorCodes[name].status, name, code], answer.text.slice(0, 300))
  assert.strictEqual(answer.headers["content-type"], "application/json")
  assert.isNotEmpty(body["message"])
  assert.match(String(body["request_id"]), /^req_/)
  assert.strictEqual(body["request_id"], answer.headers["request-id"])
}

const HOST = "Host: svc.test"
const PATH = "/v1/payment_intents"

interface Posted {
  readonly key: string
  readonly path?: string
  readonly headers?: ReadonlyArray<string>
  readonly body?: Buffer | string
}

const payment = (metadata: Readonly<Record<string, string>> = {}, idempotency_key: string = randomUUID()) =>
  JSON.stringify({ amount: 1999, currency: "USD", idempotency_key, metadata })

const post = ({ body = payment(), headers = ["Content-Type: application/json"], key, path = PATH }: Posted) => {
  const bytes = Buffer.from(body)
  return exchange([`POST ${path} HTTP/1.1`, HOST, `Authorization: Bearer ${key}`, ...headers, `Content-Length: ${bytes.length}`], bytes)
}

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("the front door", (it) => {
  it.effect("a payment that came whole is answered, whatever follows it on the connection", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("whole")
      const body = payment()
      const head = [
        `POST ${PATH} HTTP/1.1`,
        HOST,
        `Authorization: Bearer ${key}`,
        "Content-Type: application/json",
        `Content-Length: ${body.length}`
      ]
      for (const garbage of ["X X X\r\n\r\n", "\0\0\0", "GET nowhere\r\n\r\n"]) {
        const answer = yield* exchange(head, Buffer.from(body + garbage))
        assert.include([200, 201], answer.status, answer.text.slice(0, 300))
        assert.match(answer.text, /"id":"pi_/)
      }
    }))

  it.effect.each(["X X X\r\n\r\n", "GET /livez HTTP/9.9\r\n\r\n", "POST /livez HTTP/1.1\r\nContent-Length: x\r\n\r\n"])(
    "requests that came whole are answered, in order, before %j after them is refused",
    (garbage) =>
      Effect.gen(function*() {
        const { key } = yield* openMerchant("pipelined")
        const keys = [randomUUID(), randomUUID()]
        const bodies = keys.map((idempotency_key) => payment({ idempotency_key }, idempotency_key))
        const requests = bodies.map((body) =>
          [
            `POST ${PATH} HTTP/1.1`,
            HOST,
            `Authorization: Bearer ${key}`,
            "Content-Type: application/json",
            `Content-Length: ${body.length}`,
            "",
            body
          ].join("\r\n")
        )
        const [first, second, third, ...more] = answersOf(yield* talk(...requests, garbage))
        for (const [at, answer] of [first, second].entries()) {
          assert.deepStrictEqual([answer?.status, jsonOf(answer ?? { text: "" })["metadata"]], [201, { idempotency_key: keys[at] }])
        }
        assert.isDefined(third)
        if (third !== undefined) assertRefused(third, "validation_error", "request")
        assert.strictEqual(third?.headers["connection"], "close")
        assert.deepStrictEqual(more, [])
      })
  )

  it.effect("names no more of a path than an answer can hold", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("whole")
      const deep = `${"[".repeat(32_000)}"4242424242424242"${"]".repeat(32_000)}`
      for (
        const body of [deep, JSON.stringify({ ["x".repeat(65_000)]: "4242424242424242" }), JSON.stringify({ ["y".repeat(65_000)]: 1 })]
      ) {
        const answer = yield* post({ key, body })
        assert.strictEqual(answer.status, 400)
        assert.isBelow(answer.text.length, 20_000)
      }
      const named = yield* exchange([`GET ${PATH}?4242424242424242=1 HTTP/1.1`, HOST, `Authorization: Bearer ${key}`])
      assertRefused(named, "validation_error", "************4242")
    }))

  it.effect.each(
    [
      ["without Host", []],
      ["with Host twice", [HOST, "host: other.test"]]
    ] as const
  )("HTTP/1.1 %s is refused in the shape of every refusal", ([, hosts]) =>
    Effect.gen(function*() {
      assertRefused(yield* exchange(["GET /livez HTTP/1.1", ...hosts]), "validation_error", "Host")
      assertRefused(yield* exchange(["GET http://svc.test/livez HTTP/1.1", ...hosts]), "validation_error", "Host")
    }))

  it.effect("HTTP/1.0 may leave Host out", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* exchange(["GET /livez HTTP/1.0"])).status, 200)
      assert.strictEqual((yield* exchange(["GET /livez HTTP/1.1", HOST])).status, 200)
    }))

  it.effect("an unknown expectation is refused, a known one met", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("expectations")
      for (const value of ["200-ok", "100-continue, 200-ok"]) {
        assertRefused(yield* exchange(["GET /livez HTTP/1.1", HOST, `Expect: ${value}`]), "expectation_failed")
        assertRefused(yield* post({ key, headers: ["Content-Type: application/json", `Expect: ${value}`] }), "expectation_failed")
      }
      const met = yield* post({ key, headers: ["Content-Type: application/json", "Expect: 100-Continue"] })
      assert.strictEqual(met.status, 100)
      assert.match(met.text, /^HTTP\/1\.1 201 /)
      assert.strictEqual((yield* exchange(["HEAD /livez HTTP/1.1", HOST, "Expect: 100-continue"])).status, 200)
    }))

  it.effect("a proxy's method is answered too", () =>
    Effect.gen(function*() {
      assertRefused(yield* exchange(["CONNECT other.test:443 HTTP/1.1", "Host: other.test:443"]), "validation_error", "request")
    }))

  it.effect("an offer to change the protocol is passed over", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("upgrades")
      const answer = yield* exchange([
        "POST /v1/payment_intents HTTP/1.1",
        HOST,
        "Connection: Upgrade",
        "Upgrade: h2c",
        "Content-Type: application/json",
        `Authorization: Bearer ${key}`,
        "Transfer-Encoding: chunked"
      ], Buffer.from("2\r\n{}\r\n0\r\n\r\n"))
      assertRefused(answer, "validation_error", "amount")
    }))

  it.effect.each(["gzip", "br", "deflate, gzip", "x"])("Content-Encoding %s is refused by its name", (encoding) =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("encodings")
      const answer = yield* post({ key, headers: ["Content-Type: application/json", `Content-Encoding: ${encoding}`] })
      assertRefused(answer, "unsupported_media_type")
      assert.include(String(jsonOf(answer)["message"]), `"${encoding}"`)
    }))

  it.effect("a type that is not read is refused with those that are", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("types")
      const answer = yield* post({ key, headers: ["Content-Type: text/csv"] })
      assertRefused(answer, "unsupported_media_type")
      assert.strictEqual(jsonOf(answer)["message"], "Content-Type: \"text/csv\" is not read here. Send application/json.")
    }))

  it.effect.each(["utf-16", "\"ISO-8859-1\"", "\"", "utf-8x"])("charset=%s is refused", (charset) =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("charsets")
      const answer = yield* post({ key, headers: [`Content-Type: application/json; charset=${charset}`] })
      assertRefused(answer, "unsupported_media_type")
      assert.include(String(jsonOf(answer)["message"]), "charset")
    }))

  it.effect.each([
    "Content-Type: application/json; charset=utf-8",
    "Content-Type: Application/JSON ;CHARSET=\"UTF-8\"",
    "Content-Type: application/json; charset=utf8",
    "Content-Type: application/json\r\nContent-Encoding: identity"
  ])("%s is read", (header) =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("readable")
      assert.strictEqual((yield* post({ key, headers: [header] })).status, 201)
    }))

  it.effect.each(
    [
      ["a lone byte", [0xff]],
      ["half a character", [0xe2, 0x82]],
      ["an overlong slash", [0xc0, 0xaf]],
      ["a surrogate", [0xed, 0xa0, 0x80]],
      ["Latin-1", [0xe9]]
    ] as const
  )("%s is no UTF-8 and is not stored as something else", ([, bytes]) =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("bytes")
      const [before = "", after = ""] = payment({ note: "|" }).split("|")
      assertRefused(
        yield* post({ key, body: Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]) }),
        "validation_error",
        "body"
      )
    }))

  it.effect("a replacement character that was sent is kept, as is any other text", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("texts")
      const note = "\ufffd é 😀"
      const answer = yield* post({ key, body: payment({ note }) })
      assert.strictEqual(answer.status, 201, answer.text)
      assert.deepStrictEqual(jsonOf(answer)["metadata"], { note })
    }))

  it.effect("405 names every method of the path, HEAD where GET is", () =>
    Effect.gen(function*() {
      for (
        const [path, allowed] of [["/v1/account", "GET, HEAD, PATCH"], [PATH, "GET, HEAD, POST"], [`${PATH}/pi_x/capture`, "POST"]] as const
      ) {
        const answer = yield* exchange([`PUT ${path} HTTP/1.1`, HOST])
        assertRefused(answer, "method_not_allowed")
        assert.sameMembers(answer.headers["allow"]?.split(", ") ?? [], allowed.split(", "), path)
      }
    }))

  it.effect.each([
    "/V1/account",
    "/v1/account/",
    "//v1/account",
    "/v1//account",
    "/v1/Account",
    "/v1/payment_intents/",
    "/v1/payment_intents/?page=1",
    "/v1/payment_intents//attempts",
    "//",
    "/LIVEZ",
    "/livez/",
    "/docs/",
    "/openapi.json/"
  ])("%s is another path", (path) =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("spellings")
      assertRefused(yield* exchange([`GET ${path} HTTP/1.1`, HOST, `Authorization: Bearer ${key}`]), "not_found")
      assertRefused(yield* exchange([`GET ${path} HTTP/1.1`, HOST]), "not_found")
    }))

  it.effect("slashes in a query are of no concern", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* exchange(["GET /livez?next=//x/ HTTP/1.1", HOST])).status, 200)
    }))

  it.effect("a fragment is no part of a request", () =>
    Effect.gen(function*() {
      assertRefused(yield* exchange(["GET /livez#x HTTP/1.1", HOST]), "validation_error", "url")
    }))

  it.effect("a percent-encoded spelling of a path is the same operation to an idempotency key", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("percent")
      const body = payment()
      const first = yield* post({ key, body })
      assert.strictEqual(first.status, 201)
      const again = yield* post({ key, body, path: "/v1/payment%5Fintents" })
      assert.deepStrictEqual([again.status, again.headers["idempotent-replayed"], again.text], [200, "true", first.text])
    }))

  it.effect.each([1, 100, 101, 255])("an idempotency key of %d characters can be looked up", (length) =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("keys")
      const name = randomUUID().repeat(8).slice(0, length - 1) + "/"
      assert.strictEqual((yield* post({ key, body: payment({}, name) })).status, 201)
      const found = yield* exchange([`GET /v1/idempotency_keys/${encodeURIComponent(name)} HTTP/1.1`, HOST, `Authorization: Bearer ${key}`])
      assert.deepInclude(jsonOf(found), { status: "done", operation: "payment_intent.create" }, found.text)
    }))

  it.effect("an idempotency key of 256 characters is nobody's", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("keys")
      assertRefused(
        yield* exchange([`GET /v1/idempotency_keys/${"k".repeat(256)} HTTP/1.1`, HOST, `Authorization: Bearer ${key}`]),
        "not_found"
      )
    }))

  it.effect("/ says where the rest is, and sends browsers to the documentation", () =>
    Effect.gen(function*() {
      const index = yield* exchange(["GET / HTTP/1.1", HOST])
      assert.strictEqual(index.status, 200)
      const places = jsonOf(index)
      for (const place of ["docs", "openapi", "health"]) {
        assert.strictEqual((yield* exchange([`GET ${String(places[place])} HTTP/1.1`, HOST])).status, 200, place)
      }
      const browser = yield* exchange(["GET / HTTP/1.1", HOST, "Accept: text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"])
      assert.deepStrictEqual([browser.status, browser.headers["location"]], [302, places["docs"]])
    }))
})
