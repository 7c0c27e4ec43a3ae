/**
 * Names in JSON that are written with escapes, from one merchant after another: each is what its sender meant, in every answer,
 * row, event and webhook. V8 takes one for another once somebody has used both (docs/decisions/0017), so nothing here is read before
 * it is compared: the bytes themselves are.
 */
import { assert, layer } from "@effect/vitest"
import { receiver } from "@svc/kernel/egress/receiver.fixture"
import { parseJson } from "@svc/kernel/values/json"
import * as services from "@svc/server/services"
import { Effect, Layer, Schedule, Schema } from "effect"
import { randomUUID } from "node:crypto"
import type { Merchant } from "./service.ts"
import { jsonOf, layer as service, must, openMerchant, send, Service } from "./service.ts"

const PATH = "/v1/payment_intents"

/** Posts this text as it is. */
const post = Effect.fnUntraced(function*({ key }: Merchant, text: string, method = "POST", path = PATH) {
  const wire = yield* Service
  const headers = [["Authorization", `Bearer ${key}`], ["Content-Type", "application/json"]] as const
  return yield* Effect.orDie(wire.send({ method, target: path, headers, body: Buffer.from(text, "utf8") }))
})

const create = (metadata: string, key: string = randomUUID()) =>
  `{"amount":1999,"currency":"USD","idempotency_key":"${key}","metadata":${metadata}}`

const get = ({ key }: Merchant, path: string) => send("GET", path, { key })

/** The bodies that came to a receiver of the merchant's webhooks. */
const listening = Effect.fnUntraced(function*({ key }: Merchant) {
  const bodies: Array<string> = []
  const port = yield* receiver((request, response) => {
    let text = ""
    request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk)).on("end", () => {
      bodies.push(text)
      response.writeHead(200).end()
    })
  })
  yield* must("PUT", "/v1/webhook_endpoint", { key, body: { url: `http://127.0.0.1:${port}/` } })
  return bodies
})

const eventually = (condition: () => boolean) =>
  Effect.repeat(Effect.sync(condition), { schedule: Schedule.spaced("5 millis"), until: (so) => so })

const QUOTE = String.raw`{"order":"1","size 5\"":"2"}`
const BACKSLASH = String.raw`{"order":"1","size 5\\":"2"}`
const running = Layer.provideMerge(services.workers, service)

layer(running, { excludeTestServices: true, timeout: "60 seconds" })(
  "two merchants, one with a quote at the end of a name and one with a backslash",
  (it) => {
    it.effect("never see each other's: not in answers, replays, events or webhooks", () =>
      Effect.gen(function*() {
        const merchants = [yield* openMerchant("quote"), yield* openMerchant("backslash")] as const
        const [mine, theirs] = yield* Effect.all([listening(merchants[0]), listening(merchants[1])])
        const key = randomUUID()
        const first = yield* post(merchants[0], create(QUOTE, key))
        assert.deepStrictEqual([first.status, first.text.includes(QUOTE)], [201, true], first.text)
        const other = yield* post(merchants[1], create(BACKSLASH))
        assert.deepStrictEqual([other.status, other.text.includes(BACKSLASH)], [201, true], other.text)

        const again = yield* post(merchants[0], create(QUOTE, key))
        assert.deepStrictEqual([again.status, again.headers["idempotent-replayed"], again.text], [200, "true", first.text])
        const fresh = yield* post(merchants[0], create(QUOTE))
        assert.deepStrictEqual([fresh.status, fresh.text.includes(QUOTE)], [201, true], fresh.text)

        const [ids, cases] = [[first, other].map(({ text }) => String(jsonOf({ text })["id"])), [QUOTE, BACKSLASH]]
        for (const [at, merchant] of merchants.entries()) {
          const [one, wanted = ""] = [`${PATH}/${ids[at]}`, cases[at]]
          assert.include((yield* get(merchant, one)).text, wanted)
          const captured = yield* post(
            merchant,
            `{"idempotency_key":"${randomUUID()}","payment_method_id":"tok_visa","capture":true}`,
            "POST",
            `${one}/authorize`
          )
          assert.deepStrictEqual([captured.status, captured.text.includes(wanted)], [200, true], captured.text)
          const refunded = yield* post(merchant, `{"idempotency_key":"${randomUUID()}","amount":1}`, "POST", `${one}/refund`)
          assert.deepStrictEqual([refunded.status, refunded.text.includes(wanted)], [200, true], refunded.text)
          const events = yield* get(merchant, "/v1/events?per_page=100")
          const total = Number(jsonOf(events)["total"])
          assert.isAtLeast(total, 4)
          assert.strictEqual(events.text.split(`"metadata":${wanted}`).length - 1, total, events.text)
          const delivered = [mine, theirs][at] ?? []
          yield* eventually(() => delivered.length >= total)
          for (const body of delivered) assert.include(body, `"metadata":${wanted}`)
        }
      }))
  }
)

/** A name as it may be sent, and what it means. */
const spellings: ReadonlyArray<readonly [sent: string, meant: string]> = [
  [String.raw`a\n`, "a\n"],
  [String.raw`a\\`, "a\\"],
  [String.raw`a\"`, "a\""],
  [String.raw`a\t`, "a\t"],
  [String.raw`a\u0001`, "a\u0001"],
  [String.raw`a\/`, "a/"],
  [String.raw`a\u005c`, "a\\"],
  [String.raw`a\u0022`, "a\""],
  [String.raw`a\\\\`, "a\\\\"],
  [String.raw`a\\\"`, "a\\\""],
  [String.raw`\\`, "\\"],
  [String.raw`\n`, "\n"],
  [String.raw`cl\u00e9`, "clé"],
  ["clé", "clé"],
  [String.raw`\ud83d\ude00`, "😀"],
  [String.raw`\u005f_proto__`, "__proto__"],
  ["__proto__", "__proto__"],
  [String.raw`a\u005d[\u005b`, "a][["],
  ["a]", "a]"],
  ["", ""],
  [" ", " "],
  ["a&b=c+d%20", "a&b=c+d%20"],
  ["a\u2028b", "a\u2028b"],
  [String.raw`a\r\nb`, "a\r\nb"],
  [String.raw`\b\f`, "\b\f"],
  ["😀".repeat(20), "😀".repeat(20)]
]
const Intents = Schema.decodeUnknownSync(
  Schema.Struct({ total: Schema.Int, data: Schema.Array(Schema.Struct({ id: Schema.String, metadata: Schema.Json })) })
)

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("names of metadata", (it) => {
  it.effect("are kept as they were meant, however they were written and whoever sent another, and find their payments", () =>
    Effect.gen(function*() {
      const [merchant, other] = [yield* openMerchant("names"), yield* openMerchant("others")]
      const created = new Map<string, Array<unknown>>()
      for (const [at, [sent, meant]] of spellings.entries()) {
        // V8 expects the one name that it has seen behind this one, and takes the sent one for it: what stands before an escape, and a backslash.
        yield* post(other, create(`{"first ${at}":"1","${sent.split("\\")[0]}\\\\":"v"}`))
        const answer = yield* post(merchant, create(`{"first ${at}":"1","${sent}":"v"}`))
        assert.strictEqual(answer.status, 201, `${sent}: ${answer.text}`)
        const { id, metadata } = jsonOf(answer)
        assert.deepStrictEqual(Object.entries(Object(metadata)), [[`first ${at}`, "1"], [meant, "v"]], sent)
        created.set(meant, [...(created.get(meant) ?? []), id])
      }
      for (const [meant, ids] of created) {
        const query = `${encodeURIComponent(`metadata[${meant}]`)}=v&per_page=100`
        const found = yield* get(merchant, `${PATH}?${query}`)
        assert.strictEqual(found.status, 200, `${meant}: ${found.text}`)
        const { data, total } = Intents(parseJson(found.text))
        assert.strictEqual(total, ids.length, JSON.stringify(meant))
        assert.sameMembers(data.map(({ id }) => id), ids)
        for (const { metadata } of data) assert.deepInclude(Object.entries(Object(metadata)), [meant, "v"])
      }
    }))

  it.effect("that no payment has find none, and what is no name of metadata is refused", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("none")
      yield* post(merchant, create(String.raw`{"a\\":"1"}`))
      for (const name of ["a", "a\"", "a\\\\", ""]) {
        assert.strictEqual(jsonOf(yield* get(merchant, `${PATH}?${encodeURIComponent(`metadata[${name}]`)}=1`))["total"], 0, name)
      }
      for (const name of [`metadata[${"a".repeat(41)}]`, "metadata", "metadata[a", "metadata[a]b", "Metadata[a]"]) {
        const refused = yield* get(merchant, `${PATH}?${encodeURIComponent(name)}=1`)
        assert.deepStrictEqual([refused.status, jsonOf(refused)["error"]], [400, "validation_error"], name)
      }
    }))

  it.effect("may not hold what cannot be stored", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("unstorable")
      for (const [at, name] of [String.raw`a\u0000`, String.raw`\ud83d`, String.raw`a\\\ude00`].entries()) {
        yield* post(merchant, create(`{"nul ${at}":"1","${name.split("\\")[0]}\\\\":"1"}`))
        const refused = yield* post(merchant, create(`{"nul ${at}":"1","${name}":"1"}`))
        assert.deepStrictEqual([refused.status, jsonOf(refused)["code"]], [400, "metadata"], refused.text)
      }
    }))
})
