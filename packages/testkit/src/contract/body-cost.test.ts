/** What a body of the largest size costs, whatever it holds: nobody's request may hold up everybody else's. */
import { assert, layer } from "@effect/vitest"
import { BODY_KIB } from "@svc/kernel/http/body-limit"
import { Effect } from "effect"
import { jsonOf, layer as layerService, openMerchant, Service } from "./service.ts"

const SIZE = BODY_KIB * 1024

/** As often as fits between a beginning and an end. */
const filled = (piece: string, before = "", after = ""): string =>
  before + piece.repeat(Math.floor((SIZE - Buffer.byteLength(before + after)) / Buffer.byteLength(piece))) + after

/** An object of as many fields as fit. */
const fields = (field: (n: number) => string, before = "", after = ""): string => {
  const all: Array<string> = []
  for (let left = SIZE - before.length - after.length - 2; left >= 0;) {
    left -= field(all.length).length + 1
    if (left >= 0) all.push(field(all.length))
  }
  return `${before}{${all.join(",")}}${after}`
}

const payment = "\"amount\":1999,\"currency\":\"USD\",\"idempotency_key\":\"k\""

const contents: Readonly<Record<string, string>> = {
  "one digit": filled("1", "\"", "\""),
  "one digit, without quotes": filled("1"),
  "digits with spaces": filled("1 ", "\"", "\""),
  "digits with dashes": filled("1-", "\"", "\""),
  "thirteen digits, apart": filled("1 1 1 1 1 1 1 1 1 1 1 1 1 x", "\"", "\""),
  "digits with dots": filled("0.", "\"", "\""),
  "digits with slashes": filled("1/", "\"", "\""),
  "digits with anything": filled("4 1.1-1_1/1 ", "\"", "\""),
  "track data": filled("%B4", "\"", "\""),
  "UUIDs": filled("4b3d2434-0251-419b-973f-8498f0e5f406 ", "\"", "\""),
  "numbers of sixteen digits": filled("4111111111111112,", "[", "1]"),
  "texts of thirteen digits": filled("\"41111 11111 112\",", "[", "1]"),
  "numbers with exponents": filled("1e9,", "[", "1]"),
  "numbers beyond all bounds": filled("1e99999,", "[", "1]"),
  "escaped digits": filled("\\u0031", "\"", "\""),
  "backslashes": filled("\\\\", "\"", "\""),
  "full-width digits": filled("\uff11", "\"", "\""),
  "nested arrays": `${"[".repeat(SIZE / 2)}${"]".repeat(SIZE / 2)}`,
  "nested objects": `${"{\"a\":".repeat(10_000)}1${"}".repeat(10_000)}`,
  "arrays that do not end": filled("["),
  "empty objects": filled("{},", "[", "1]"),
  "names that nobody knows": fields((n) => `"n${n}":1`),
  "one name again and again": fields(() => "\"a\":1"),
  "a payment with too much metadata": fields((n) => `"n${n}":"1"`, `{${payment},"metadata":`, "}"),
  "a payment with metadata that is no text": fields((n) => `"n${n}":1`, `{${payment},"metadata":`, "}"),
  "a payment with digits": filled("1", `{${payment},"metadata":{"a":"`, "\"}}")
}

/**
 * Milliseconds of the processor, whoever else uses it meanwhile: the least of five tries, or of as many as it needs to be `most`. What
 * costs too much does so each time; what else this process or this machine does is not always there.
 */
const cost = Effect.fnUntraced(function*<A, E, R>(what: Effect.Effect<A, E, R>, most = Infinity) {
  let least = Infinity
  for (let tries = 0; tries < 5 || (tries < 100 && least > most); tries++) {
    const before = process.cpuUsage()
    yield* what
    const { system, user } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
})

/** About what 20 ms are on a machine that does nothing else, by what the same text costs a parser that does nothing but parse. */
const ceiling = Effect.map(
  cost(
    Effect.sync(() => JSON.parse(`[${Array.from({ length: 20_000 }, (_, n) => `{${payment},"metadata":{"order":"${n}"}}`).join(",")}]`))
  ),
  (parsed) => 2 * parsed
)

layer(layerService, { excludeTestServices: true, timeout: "60 seconds" })("a body of the largest size", (it) => {
  it.effect("costs little, whatever it holds", () =>
    Effect.gen(function*() {
      const [{ key }, wire] = [yield* openMerchant("costly"), yield* Service]
      const headers = [["Authorization", `Bearer ${key}`], ["Content-Type", "application/json"]] as const
      const send = (body: string) => wire.send({ method: "POST", target: "/v1/payment_intents", headers, body: Buffer.from(body) })
      const most = yield* ceiling
      const found = yield* Effect.forEach(
        Object.entries(contents),
        Effect.fnUntraced(function*([name, body]) {
          assert.isAtMost(Buffer.byteLength(body), SIZE, name)
          assert.isAbove(Buffer.byteLength(body), SIZE * 0.9, name)
          const answer = yield* send(body)
          assert.strictEqual(answer.status, 400, `${name}: ${answer.text.slice(0, 200)}`)
          return [name, yield* cost(send(body), most)] as const
        })
      )
      assert.deepStrictEqual(found.filter(([, milliseconds]) => milliseconds > most), [], `more than ${most} ms`)
    }), 120_000)

  it.effect("is read, and one byte more is refused by the limit", () =>
    Effect.gen(function*() {
      const [{ key }, wire] = [yield* openMerchant("largest"), yield* Service]
      const headers = [["Authorization", `Bearer ${key}`], ["Content-Type", "application/json"]] as const
      const send = (body: string) => wire.send({ method: "POST", target: "/v1/payment_intents", headers, body: Buffer.from(body) })
      const body = `{${payment}}`
      assert.strictEqual((yield* send(body.padEnd(SIZE))).status, 201)
      for (const longer of [SIZE + 1, 5 * SIZE, 1024 * 1024]) {
        const answer = yield* send(body.padEnd(longer))
        assert.deepInclude(jsonOf(answer), {
          error: "payload_too_large",
          message: `The request body is larger than accepted. Send at most ${BODY_KIB} KiB of JSON; uploads have limits of their own.`
        })
        assert.strictEqual(answer.status, 413)
      }
    }))
})
