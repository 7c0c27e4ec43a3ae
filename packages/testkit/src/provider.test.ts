import { assert, describe, it } from "@effect/vitest"
import * as Egress from "@svc/kernel/egress/service"
import type { RailRequest } from "@svc/payments/rails/model"
import { Rails } from "@svc/payments/rails/rail"
import type { Rail } from "@svc/payments/rails/rail"
import { remoteSimulatorRails } from "@svc/payments/rails/remote-simulator"
import { Context, Effect, Layer, Result, Schema } from "effect"
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { startProvider } from "./provider.ts"
import type { Faults } from "./provider.ts"

const visa: RailRequest = {
  key: "svc_1",
  amount: 1999,
  currency: "USD",
  token: "tok_visa",
  capture: false,
  metadata: {},
  attempted_at: 0,
  risk_cleared: false
}

const cardA = Effect.fnUntraced(function*(url: string, timeout = 10_000) {
  const built = yield* Layer.build(Layer.provide(remoteSimulatorRails({ url, timeout }), Egress.layer({ allow: ["127.0.0.1"] })))
  const rail: Rail | undefined = Context.get(built, Rails).byName("card_a")
  assert(rail !== undefined)
  return rail
})

const ask = (method: string, url: string, body?: unknown) =>
  Effect.promise(async () => {
    const response = await fetch(url, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
    const json: unknown = await response.json()
    return { status: response.status, json }
  })

const fault = (url: string, faults: Partial<Faults>) =>
  Effect.map(ask("POST", `${url}/faults`, faults), ({ status }) => assert.strictEqual(status, 200))

const tagOf = <A extends { readonly _tag: string }, E extends { readonly _tag: string }>(result: Result.Result<A, E>): string =>
  Result.isSuccess(result) ? result.success._tag : result.failure._tag

describe("a provider in trouble", () => {
  it.live.each<[kind: Faults["kind"], said: string, effects: number, knows: string]>([
    ["none", "Approved", 1, "Approved"],
    ["refuse", "RailUnreachable", 0, "Unknown"],
    ["reset_before", "RailOutcomeUnknown", 0, "Unknown"],
    ["reset_after", "RailOutcomeUnknown", 1, "Approved"],
    ["drop_reply", "RailOutcomeUnknown", 1, "Approved"],
    ["delay_ms", "Approved", 1, "Approved"]
  ])("%s: the rail says %s, %d effects, a lookup says %s", ([kind, said, effects, knows]) =>
    Effect.gen(function*() {
      const { report, url } = yield* startProvider(0)
      const rail = yield* cardA(url, 500)
      yield* fault(url, { kind, delay_ms: 50, operations: ["authorize"] })
      assert.strictEqual(tagOf(yield* Effect.result(rail.authorize(visa))), said)
      assert.strictEqual((yield* rail.lookup(visa, null))._tag, knows)
      yield* fault(url, { kind: "none" })
      // Whatever happened, the same key never acts a second time.
      yield* Effect.result(rail.authorize(visa))
      assert.strictEqual(report().effects, effects)
    }).pipe(Effect.scoped))

  it.live.each(["capture", "refund", "void"] as const)(
    "a %s whose reply was lost is found, and done once",
    (operation) =>
      Effect.gen(function*() {
        const { report, url } = yield* startProvider(0)
        const rail = yield* cardA(url)
        const answer = yield* rail.authorize({ ...visa, capture: operation === "refund" })
        assert(answer._tag === "Approved")
        const call = { key: "svc_2", reference: answer.reference, amount: 1999, currency: "USD" }
        yield* fault(url, { kind: "reset_after", operations: [operation] })
        assert.strictEqual((yield* Effect.flip(rail[operation](call)))._tag, "RailOutcomeUnknown")
        yield* fault(url, { kind: "none" })
        const found = yield* rail.lookupFollowUp(call)
        assert.deepStrictEqual(found, yield* rail[operation](call))
        assert.strictEqual(report().keys["svc_2"]?.effects, 1)
      }).pipe(Effect.scoped)
  )

  it.live("a call that never arrived is not known, and cannot arrive later", () =>
    Effect.gen(function*() {
      const { report, url } = yield* startProvider(0)
      const rail = yield* cardA(url)
      const call = { key: "svc_2", reference: "sim_1", amount: 1, currency: "USD" }
      assert.isUndefined(yield* rail.lookupFollowUp(call))
      assert.strictEqual((yield* Effect.flip(rail.capture(call)))._tag, "RailOutcomeUnknown")
      assert.strictEqual(report().closed, 1)
    }).pipe(Effect.scoped))

  it.live("a question that finds no answer is to be asked again", () =>
    Effect.gen(function*() {
      const { url } = yield* startProvider(0)
      const rail = yield* cardA(url)
      yield* fault(url, { kind: "reset_after", operations: ["lookup", "lookup_follow_up"] })
      assert.strictEqual((yield* Effect.flip(rail.lookup(visa, null)))._tag, "RailUnreachable")
      assert.strictEqual(
        (yield* Effect.flip(rail.lookupFollowUp({ key: "k", reference: "r", amount: 1, currency: "USD" })))._tag,
        "RailUnreachable"
      )
    }).pipe(Effect.scoped))

  const strikes = Effect.fnUntraced(function*(seed: number, order: ReadonlyArray<number>) {
    const { url } = yield* startProvider(0)
    const rail = yield* cardA(url)
    yield* fault(url, { kind: "refuse", probability: 0.3, seed })
    const results = yield* Effect.forEach(
      order,
      (n) => Effect.map(Effect.result(rail.authorize({ ...visa, key: `svc_${n}` })), (result) => [n, tagOf(result)] as const)
    )
    return new Map(results)
  })

  it.live("strikes about as often as it is told, and the same calls for the same seed in any order", () =>
    Effect.gen(function*() {
      const order = Array.from({ length: 200 }, (_, n) => n)
      const one = yield* strikes(7, order)
      assert.deepStrictEqual(new Map([...(yield* strikes(7, [...order].reverse()))].reverse()), one)
      assert.notDeepEqual(yield* strikes(8, order), one)
      const struck = Array.from(one.values()).filter((tag) => tag === "RailUnreachable").length
      // 60 are expected; five standard deviations are 32.
      assert(struck > 28 && struck < 92, `${struck} of 200`)
    }).pipe(Effect.scoped))

  it.live("a repeated call is struck anew, so that retries come through", () =>
    Effect.gen(function*() {
      const { url } = yield* startProvider(0)
      const rail = yield* cardA(url)
      yield* fault(url, { kind: "refuse", probability: 0.5, seed: 1 })
      const tags = yield* Effect.forEach(Array.from({ length: 40 }), () => Effect.map(Effect.result(rail.authorize(visa)), tagOf))
      assert.deepStrictEqual(Array.from(new Set(tags)).sort(), ["Approved", "RailUnreachable"])
    }).pipe(Effect.scoped))
})

describe("the provider's own routes", () => {
  it.live.each<[what: string, method: string, path: string, body: unknown, status: number]>([
    ["an unknown path", "GET", "/nothing", undefined, 404],
    ["a wrong method", "GET", "/authorize", undefined, 404],
    ["a body that is no call", "POST", "/authorize", { rail: "card_a" }, 400],
    ["an amount that is none", "POST", "/authorize", { rail: "card_a", request: { ...visa, amount: 0 } }, 400],
    ["a fault nobody knows", "POST", "/faults", { kind: "fire" }, 400],
    ["a step nobody was asked for", "POST", "/actions/svc_9", { passed: true }, 409]
  ])("%s", ([, method, path, body, status]) =>
    Effect.gen(function*() {
      const { report, url } = yield* startProvider(0)
      assert.strictEqual((yield* ask(method, url + path, body)).status, status)
      assert.strictEqual(report().effects, 0)
    }).pipe(Effect.scoped))

  it.live("a customer passes the step at the address in the answer", () =>
    Effect.gen(function*() {
      const { url } = yield* startProvider(0)
      const rail = yield* cardA(url)
      const request = { ...visa, token: "tok_requires_action" }
      const answer = yield* rail.authorize(request)
      assert(answer._tag === "RequiresAction")
      assert.strictEqual((yield* ask("POST", answer.url, { passed: true })).status, 200)
      assert.deepStrictEqual(yield* rail.lookup(request, answer.reference), {
        _tag: "Approved",
        reference: answer.reference,
        amount: 1999,
        captured: false
      })
    }).pipe(Effect.scoped))
})

const Books = Schema.Struct({
  calls: Schema.Int,
  effects: Schema.Int,
  keys: Schema.Record(Schema.String, Schema.Struct({ operation: Schema.String }))
})

/** The provider as a process of its own, ended with the scope. */
const spawned = Effect.acquireRelease(
  Effect.sync(() =>
    spawn(process.execPath, [fileURLToPath(new URL("provider.ts", import.meta.url)), "0"], { stdio: ["ignore", "pipe", "inherit"] })
  ),
  (child) =>
    Effect.callback<void>((resume) => {
      if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
      child.once("exit", () => resume(Effect.void))
      child.kill("SIGTERM")
    })
)

describe("the provider as a process", () => {
  it.live("says where it listens and keeps its books there", () =>
    Effect.gen(function*() {
      const child = yield* spawned
      const line = yield* Effect.callback<string>((resume) => {
        createInterface(child.stdout).once("line", (text) => resume(Effect.succeed(text)))
      })
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0]
      assert(url !== undefined, line)
      const rail = yield* cardA(url)
      yield* rail.authorize(visa)
      yield* rail.authorize(visa)
      const { json } = yield* ask("GET", `${url}/books`)
      const { calls, effects, keys } = Schema.decodeUnknownSync(Books)(json)
      assert.deepStrictEqual({ calls, effects, operation: keys["svc_1"]?.operation }, { calls: 2, effects: 1, operation: "authorize" })
    }).pipe(Effect.scoped))
})
