/** What every tool of the catalog must do, told of none by name. */
import { assert, describe, it } from "@effect/vitest"
import type { ApiKeyScope } from "@svc/accounts/access/model"
import { excessOf, type Reach } from "@svc/accounts/access/rules"
import { NotConfigured, present } from "@svc/tool-kit/backend"
import type { Call } from "@svc/tool-kit/call"
import { Catalog } from "@svc/tool-kit/derive"
import { Directory } from "@svc/tool-kit/services/directory"
import { Disputes } from "@svc/tool-kit/services/disputes"
import { Site } from "@svc/tool-kit/services/site"
import { Context, Effect, Layer, Result } from "effect"
import * as directory from "../discovery/directory.ts"
import { all, CALLS_TOOLS, layer, toolScopes, type ToolServices } from "./index.ts"

/** Free inline tools whose examples need what only an installation has; each is run by a test beside it. */
const NEED_AN_INSTALLATION: ReadonlySet<string> = new Set(["get_referral_code", "get_referral_credits", "get_quote"])

const site: Site["Service"] = {
  service: "svc",
  title: "svc",
  version: "0.0.0",
  protocol_version: "2025-11-25",
  protocol_versions: ["2025-11-25"],
  tools_url: "https://tools.svc.test",
  api_url: "https://svc.test",
  contact_email: null
}

const away = new NotConfigured({ reason: "backend_absent", detail: "This test has none.", remediation: "None." })

/** Every service that a tool lists, as an installation without backends has it. */
const withoutBackends = Layer.succeedContext(
  Context.makeUnsafe<Exclude<ToolServices, Directory>>(
    new Map(
      all.flatMap(({ services }) => services).filter(({ key }) => key !== Directory.key).map(({ key }) => [key, { get: Effect.fail(away) }])
    )
  )
)

const call: Call = { id: "call_test", mode: "standard", account: { id: "acct_test", sandbox: true } }

const installation = directory.layer.pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      withoutBackends,
      Layer.succeed(Site, site),
      present(Disputes, { find: () => Effect.undefined, submit: () => Effect.die("nothing is submitted here") })
    )
  )
)

const prepared = (name: string, args: unknown) =>
  Effect.gen(function*() {
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

  it.effect.each(all.map((one) => [one.name, one] as const))(
    "prepares the examples of %s, by each of its names",
    ([name, one]) =>
      Effect.gen(function*() {
        assert.isAtLeast(one.examples.length, 1)
        for (const known of [name, ...(one.meta.also ?? [])]) {
          for (const example of one.examples) yield* prepared(known, example)
        }
      })
  )

  it.effect.each(all.map((one) => [one.name, one] as const))(
    "prepares a hundred arguments that the schema of %s makes",
    ([name, one]) =>
      Effect.gen(function*() {
        const seeds = yield* one.seeds
        assert.lengthOf(seeds, 100)
        for (const seed of seeds) yield* prepared(name, seed)
      })
  )

  it.effect.each(alone.map((one) => [one.name, one] as const))(
    "runs the examples of %s, and encodes what they give",
    ([name, one]) =>
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
      })
  )
})

describe("an agent key that a restricted key issues", () => {
  const issuedFor = (tool: string): Reach => ({ kind: "agent", policy: { allowed_tools: [tool] } })
  const issuer = (...scopes: ReadonlyArray<ApiKeyScope>): Reach => ({ kind: "restricted", scopes })

  it.each(all)("calls $name alone where anybody may, or the issuer lets agent keys call tools", ({ meta, name }) => {
    const isAnybodys = meta.auth === "none" && meta.prices === "free"
    assert.strictEqual(excessOf(issuer("agent_keys:write"), issuedFor(name), toolScopes) === undefined, isAnybodys)
    if (meta.scopes === undefined) {
      assert.isUndefined(excessOf(issuer("agent_keys:write", CALLS_TOOLS), issuedFor(name), toolScopes))
    }
  })
})
