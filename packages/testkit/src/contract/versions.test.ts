/**
 * Versions of the API over HTTP: the one before the current, whose orders have a text as tracking; and, as CONTRIBUTING.md shows how one is
 * added, one more after it, the end of the first included.
 */
import { assert, it as plainly, layer } from "@effect/vitest"
import { BillingPeriod } from "@svc/billing/plans/model"
import { CURRENT_API_VERSION, Releases, releases } from "@svc/kernel/resource/api-version"
import { versionChange, VersionChanges } from "@svc/kernel/resource/version-change"
import { parseJson } from "@svc/kernel/values/json"
import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { makeResources } from "./resources.ts"
import type { Asked, Merchant } from "./service.ts"
import { itemsOf, jsonOf, layer as service, layerWith, must, openMerchant, operatorKey, send } from "./service.ts"

const FIRST = "2026-11-01"

const in_ = (version: string, { headers, ...asked }: Asked): Asked => ({ ...asked, headers: { ...headers, "API-Version": version } })

const orderOf = Effect.fnUntraced(function*(tag: string) {
  const { made, merchant } = yield* makeResources(tag)
  return { merchant, id: String(made.get("/v1/orders")?.row["id"]) }
})

const fulfill = ({ key }: Merchant, id: string, tracking: unknown, version?: string) => {
  const asked = { key, body: { tracking, idempotency_key: randomUUID() } }
  return send("POST", `/v1/orders/${id}/fulfill`, version === undefined ? asked : in_(version, asked))
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("an older version", (it) => {
  it.effect("is spoken where the header says so: made, retrieved, listed, expanded, repeated", () =>
    Effect.gen(function*() {
      const { id, merchant } = yield* orderOf("versions")
      const { key } = merchant
      const body = { tracking: "0034", idempotency_key: randomUUID() }
      const ask = (version: string) => send("POST", `/v1/orders/${id}/fulfill`, in_(version, { key, body }))
      const made = yield* ask(FIRST)
      assert.deepStrictEqual([made.status, jsonOf(made)["tracking"], made.headers["api-version"]], [200, "0034", FIRST], made.text)
      const again = yield* ask(FIRST)
      assert.deepStrictEqual([again.text, again.headers["idempotent-replayed"]], [made.text, "true"])
      for (const path of [`/v1/orders/${id}`, `/v1/orders/${id}?expand[]=payment_intent&expand[]=customer`]) {
        const [older, newer] = [yield* must("GET", path, in_(FIRST, { key })), yield* must("GET", path, { key })]
        assert.deepStrictEqual([older["tracking"], newer["tracking"]], ["0034", { number: "0034" }])
        assert.deepStrictEqual({ ...older, tracking: null }, { ...newer, tracking: null }, "nothing else differs")
      }
      const list = itemsOf(jsonOf(yield* send("GET", "/v1/orders", in_(FIRST, { key }))))
      assert.include(list.filter(isObject).map((item) => item["tracking"]), "0034")
    }))

  it.effect("is refused with, and refuses, what it knows itself", () =>
    Effect.gen(function*() {
      const { id, merchant } = yield* orderOf("refusals")
      const cases: ReadonlyArray<readonly [unknown, string | undefined, string]> = [
        [{ number: "0034" }, FIRST, "tracking"],
        [7, FIRST, "tracking"],
        ["", FIRST, "tracking"],
        ["0034", undefined, "tracking"],
        [{ number: "" }, undefined, "tracking.number"]
      ]
      for (const [tracking, version, code] of cases) {
        const refused = yield* fulfill(merchant, id, tracking, version)
        assert.deepStrictEqual([refused.status, jsonOf(refused)["code"]], [400, code], refused.text)
        assert.isTrue(String(jsonOf(refused)["message"]).startsWith(`${code}:`), refused.text)
      }
      const { key } = merchant
      for (
        const [version, status] of [["2020-01-01", 400], ["latest", 400], ["", 400], [FIRST, 200], [CURRENT_API_VERSION, 200]] as const
      ) {
        const answer = yield* send("GET", "/v1/account", in_(version, { key }))
        assert.deepStrictEqual([answer.status, jsonOf(answer)["code"]], [status, status === 200 ? undefined : "API-Version"], version)
        assert.notProperty(answer.headers, "deprecation")
      }
    }))

  it.effect("is an account's own until it moves on, for answers and events alike", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [one, two] = [yield* orderOf("one"), yield* orderOf("two")]
      for (const { merchant } of [one, two]) {
        const moved = yield* must("PATCH", "/v1/account", { key: merchant.key, body: { api_version: FIRST } })
        assert.strictEqual(moved["api_version"], FIRST)
      }
      const { key } = one.merchant
      const fulfilled = yield* fulfill(one.merchant, one.id, "0034")
      assert.deepStrictEqual([jsonOf(fulfilled)["tracking"], fulfilled.headers["api-version"]], ["0034", FIRST])
      yield* must("PATCH", `/v1/accounts/${two.merchant.id}`, { key: yield* operatorKey, body: { api_version: CURRENT_API_VERSION } })
      assert.deepStrictEqual(jsonOf(yield* fulfill(two.merchant, two.id, { number: "0035" }))["tracking"], { number: "0035" })
      assert.deepStrictEqual((yield* must("GET", `/v1/orders/${one.id}`, in_(CURRENT_API_VERSION, { key })))["tracking"], {
        number: "0034"
      })

      for (const [{ merchant }, version, tracking] of [[one, FIRST, "0034"], [two, CURRENT_API_VERSION, { number: "0035" }]] as const) {
        const [event] = itemsOf(yield* must("GET", "/v1/events?type=order.fulfilled", { key: merchant.key })).filter(isObject)
        assert.strictEqual(event?.["api_version"], version)
        assert.deepStrictEqual(isObject(event?.["data"]) && event["data"]["tracking"], tracking)
        const [delivery] = itemsOf(yield* must("GET", "/v1/webhook_events?type=order.fulfilled", { key: merchant.key })).filter(isObject)
        assert.deepStrictEqual(delivery?.["payload"], event, "what is delivered is what is listed")
        assert.deepStrictEqual(parseJson((yield* send("GET", `/v1/events/${String(event?.["id"])}`, { key: merchant.key })).text), event)
      }
      // It stays as it was told when the account moves on.
      yield* must("PATCH", "/v1/account", in_(CURRENT_API_VERSION, { key, body: { api_version: CURRENT_API_VERSION } }))
      const [event] = itemsOf(yield* must("GET", "/v1/events?type=order.fulfilled", { key })).filter(isObject)
      assert.strictEqual(event?.["api_version"], FIRST)
      const [stored] = yield* Effect.orDie(sql<{ readonly data: string }>`SELECT data FROM events WHERE id = ${String(event?.["id"])}`)
      assert.include(stored?.data, "\"number\":\"0034\"", "and is stored in the newest shape")
    }))

  it.effect("is one that was released, and neither deprecated nor over, where an account moves to it", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("pins")
      assert.strictEqual((yield* must("GET", "/v1/account", { key }))["api_version"], CURRENT_API_VERSION)
      for (const api_version of ["2020-01-01", "newest", null]) {
        const refused = yield* send("PATCH", "/v1/account", { key, body: { api_version } })
        assert.deepStrictEqual([refused.status, jsonOf(refused)["code"]], [400, "api_version"])
      }
    }))
})

const day = 24 * 60 * 60 * 1000
const now = DateTime.nowUnsafe().epochMilliseconds

// 1. The change, beside its resource: here the period of a plan, which older versions called its interval.
const periodOfPlans = versionChange({
  version: "2027-01-15",
  prefix: "plan",
  schema: "Plan",
  requests: ["plans.create"],
  older: Schema.Struct({ interval: Schema.optionalKey(BillingPeriod) }),
  newer: Schema.Struct({ billing_period: Schema.optionalKey(BillingPeriod) }),
  toNewer: ({ interval }) => interval === undefined ? {} : { billing_period: interval },
  toOlder: ({ billing_period }) => billing_period === undefined ? {} : { interval: billing_period }
})
// 2. The release, before all others; the one that is to end says when.
const extended = [
  { version: "2027-01-15", changelog: "A plan has a billing_period, and no interval." },
  ...releases.map((release) => release.version === FIRST ? { ...release, deprecated_at: now - day, sunset_at: now + 180 * day } : release)
]

const withOneMore = layerWith({}).pipe(
  Layer.provideMerge(Layer.mergeAll(Layer.succeed(VersionChanges, [periodOfPlans]), Layer.succeed(Releases, extended)))
)

layer(withOneMore, { excludeTestServices: true, timeout: "60 seconds" })("a version that is added", (it) => {
  it.effect("is a step before the others, which know nothing of it", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("adds")
      const plan = { name: "Plan", amount: 1999, currency: "USD" }
      const [newest] = extended
      const made = yield* must("POST", "/v1/plans", in_(newest?.version ?? "", { key, body: { ...plan, billing_period: "monthly" } }))
      assert.strictEqual(made["billing_period"], "monthly")
      for (const version of [CURRENT_API_VERSION, FIRST, undefined]) {
        const asked = (body?: object): Asked => version === undefined ? { key, body } : in_(version, { key, body })
        const older = yield* must("POST", "/v1/plans", asked({ ...plan, interval: "weekly" }))
        assert.deepStrictEqual([older["interval"], older["billing_period"]], ["weekly", undefined], version ?? "the account's own")
        assert.strictEqual((yield* must("GET", `/v1/plans/${String(made["id"])}`, asked()))["interval"], "monthly")
        const refused = yield* send("POST", "/v1/plans", asked({ ...plan, billing_period: "weekly" }))
        assert.deepStrictEqual([refused.status, jsonOf(refused)["code"]], [400, "billing_period"])
      }
    }))

  it.effect("takes both steps to the first, which says when it ends", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("ends")
      const answer = yield* send("GET", "/v1/plans", in_(FIRST, { key: merchant.key }))
      assert.match(answer.headers["deprecation"] ?? "", /^@\d{10}$/u)
      assert.strictEqual(new Date(answer.headers["sunset"] ?? "").getTime(), Math.floor((now + 180 * day) / 1000) * 1000)
      const open = yield* send("GET", "/v1/api_versions", { headers: { "API-Version": FIRST } })
      assert.isDefined(open.headers["deprecation"], "without a key, too")
      assert.deepStrictEqual(itemsOf(jsonOf(open)).map((item) => isObject(item) ? [item["version"], item["status"]] : []), [
        ["2027-01-15", "current"],
        [CURRENT_API_VERSION, "supported"],
        [FIRST, "deprecated"]
      ])
      assert.notProperty((yield* send("GET", "/v1/plans", { key: merchant.key })).headers, "deprecation")
      const refused = yield* send("PATCH", "/v1/account", { key: merchant.key, body: { api_version: FIRST } })
      assert.deepStrictEqual([refused.status, jsonOf(refused)["code"]], [400, "api_version"])
    }))
})

const over = extended.map((release) => release.version === FIRST ? { ...release, sunset_at: now - 1 } : release)

layer(layerWith({}).pipe(Layer.provideMerge(Layer.succeed(Releases, over))), { excludeTestServices: true })(
  "a version that has ended",
  (it) => {
    it.effect("is refused, by header and as an account's own, and the account can still move on", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { key } = yield* openMerchant("over")
        const byHeader = yield* send("GET", "/v1/account", in_(FIRST, { key }))
        assert.deepStrictEqual([byHeader.status, jsonOf(byHeader)["code"]], [400, "API-Version"])
        const { key: pinned } = yield* openMerchant("pinned")
        yield* Effect.orDie(sql`UPDATE accounts SET api_version = ${FIRST}`)
        const own = yield* send("GET", "/v1/account", { key: pinned })
        assert.deepStrictEqual([own.status, jsonOf(own)["code"]], [400, "API-Version"])
        assert.strictEqual(
          (yield* must("PATCH", "/v1/account", in_(CURRENT_API_VERSION, { key: pinned, body: { api_version: CURRENT_API_VERSION } })))[
            "api_version"
          ],
          CURRENT_API_VERSION
        )
        assert.strictEqual((yield* send("GET", "/v1/account", { key: pinned })).status, 200)
      }))
  }
)

plainly("CONTRIBUTING.md shows the version that is added here", () => {
  const textOf = (file: string) => readFileSync(new URL(file, import.meta.url), "utf8")
  const [, block = "no block"] = /## Adding a version[\s\S]*?^```ts\n([\s\S]*?)^```$/m.exec(textOf("../../../../CONTRIBUTING.md")) ?? []
  assert.include(textOf("versions.test.ts"), block)
})
