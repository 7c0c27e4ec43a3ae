/** What every tool of the catalog must do, told of none by name. */
import { assert, describe, it } from "@effect/vitest"
import { Quotes } from "@svc/payments/quotes/service"
import { Effect, Layer, Result } from "effect"
import { AgentPayments } from "../agent-payments/service.ts"
import { present } from "../backend.ts"
import type { Call } from "../call.ts"
import { Catalog } from "../derive.ts"
import * as directory from "../discovery/directory.ts"
import * as site from "../discovery/site.ts"
import { absentBackends } from "../layer.ts"
import { Referrals } from "../referrals/service.ts"
import { Analytics } from "../stored/analytics/service.ts"
import { Disputes } from "../services/disputes.ts"
import { Search } from "../stored/search/service.ts"
import { Vectors } from "../stored/vectors/service.ts"
import { all, layer } from "./index.ts"

/** Free inline tools whose examples need what only an installation has; each is run by a test beside it. */
const NEED_AN_INSTALLATION: ReadonlySet<string> = new Set(["get_referral_code", "get_referral_credits", "get_quote"])

const call: Call = { id: "call_test", mode: "standard", account: { id: "acct_test", sandbox: true } }

const installation = directory.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(absentBackends, site.layer({ tools_url: "https://tools.svc.test", api_url: "https://svc.test" }), Layer.mock(AgentPayments)({}), Layer.mock(Quotes)({}), Layer.mock(Referrals)({}), Layer.mock(Search)({}), Layer.mock(Analytics)({}), Layer.mock(Vectors)({}), present(Disputes, { find: () => Effect.undefined, submit: () => Effect.die("nothing is submitted here") })))
)

const prepared = (name: string, args: unknown) => Effect.gen(function*() {
  const tool = (yield* Catalog).get(name)
  if (tool === undefined) return yield* Effect.die(`no tool answers to ${name}`)
  const ready = tool.prepare(args, call)
  if (Result.isFailure(ready)) return yield* Effect.die(`${JSON.stringify(args)}: ${ready.failure.message}`)
  return ready.success
}).pipe(Effect.provide(Layer.provide(layer, installation)))

const alone = all.filter(({ meta, name }) => meta.kind === "inline" && meta.prices === "free" && !NEED_AN_INSTALLATION.has(name))

describe("the catalog", () => {
  it("names only tools that it has as those that need an installation", () => {
    assert.isEmpty([...NEED_AN_INSTALLATION].filter((name) => !all.some((one) => one.name === name)))
  })

  it.effect.each(all.map((one) => [one.name, one] as const))("prepares the examples of %s, by each of its names", ([name, one]) =>
    Effect.gen(function*() {
      assert.isAtLeast(one.examples.length, 1)
      for (const known of [name, ...(one.meta.also ?? [])]) {
        for (const example of one.examples) yield* prepared(known, example)
      }
    }))

  it.effect.each(all.map((one) => [one.name, one] as const))("prepares a hundred arguments that the schema of %s makes", ([name, one]) =>
    Effect.gen(function*() {
      const seeds = yield* one.seeds
      assert.lengthOf(seeds, 100)
      for (const seed of seeds) yield* prepared(name, seed)
    }))

  it.effect.each(alone.map((one) => [one.name, one] as const))("runs the examples of %s, and encodes what they give", ([name, one]) =>
    Effect.gen(function*() {
      for (const example of one.examples) {
        const ready = yield* prepared(name, example)
        const away = yield* ready.absent
        const outcome = yield* ready.run
        // Without its backend it says so, asked before the run and by the run alike.
        if (away !== undefined) return assert.deepStrictEqual(outcome, away)
        assert.strictEqual(outcome._tag, "Done", JSON.stringify(outcome))
        assert.deepStrictEqual([ready.quote, outcome.cents], [0, 0])
      }
    }))
})
