/** The commands of docs/, run as they stand there, and the formula of proration beside the engine's. */
import { assert, it, layer } from "@effect/vitest"
import { prorate } from "@svc/billing/engine/proration/prorate"
import { Arbitrary, Context, DateTime, Effect, Layer, Schema } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { commandsOf, root, terminals } from "./terminal.ts"

/** What the commands of a page print, in this order. */
const printed: Readonly<Record<string, ReadonlyArray<string>>> = {
  "docs/guides/accept-a-payment.md": ["captured", "authorized", "captured", "500", "insufficient_funds"],
  "docs/guides/subscribe-with-a-trial.md": ["ready", "active", "trialing", "ready", "active", "paid 1900", "/portal/"],
  "docs/guides/answer-a-dispute.md": ["captured", "4999", "open", "under_review", "won", "0"],
  "docs/guides/pay-out.md": ["captured", "9680", "verified", "completed", "4680"],
  "docs/guides/link-a-bank.md": ["linked", "3000", "3000", "processor_sandbox_"],
  "docs/guides/let-an-agent-pay.md": ["status: 'pending'", "captured", "status: 'succeeded'"],
  "docs/guides/analyze-a-repository.md": [
    "completed",
    "paid",
    "# Reading scripts",
    "`build-client.ts:",
    "source: 'content'",
    "content_discarded",
    "true"
  ],
  "docs/guides/proration.md": ["-714 for 432000 of 604800 seconds", "2143 for 432000 of 604800 seconds"],
  "docs/guides/invite-people.md": ["/desk/join/join_", "true", "You are invited", "true", "0"],
  "docs/guides/go-live.md": [
    "ready",
    "onboarding_incomplete",
    "2026-11-01",
    "pending",
    "verified",
    "standard",
    "captured",
    "live",
    "100",
    "false"
  ],
  "docs/agents.md": ["low_value", "402", "Settled 1 cent", "\ntrue"],
  "docs/operating.md": ["2026a:", "ok: true", " signed", "ok: "]
}

class Terminal extends Context.Service<Terminal, Effect.Success<typeof terminals>>()("@svc/testkit/guides.test/Terminal") {
  /** In the folder of a running service. */
  static readonly layer = Layer.effect(
    Terminal,
    Effect.tap(terminals, ({ background }) => background("npm start", "svc is ready"))
  )
}

it("each guide is run, and is short", () => {
  const guides = readdirSync(join(root, "docs/guides")).filter((file) => file !== "README.md").map((file) => `docs/guides/${file}`)
  assert.sameMembers(guides, Object.keys(printed).filter((page) => page.startsWith("docs/guides/")))
  const index = readFileSync(join(root, "docs/guides/README.md"), "utf8")
  for (const guide of guides) {
    const lines = readFileSync(join(root, guide), "utf8").trimEnd().split("\n").length
    assert.isTrue(lines >= 15 && lines <= 30, `${guide} has ${lines} lines`)
    assert.include(index, `](${guide.slice("docs/guides/".length)})`)
  }
})

layer(Terminal.layer, { excludeTestServices: true, timeout: "60 seconds" })("the commands of docs/", (it) => {
  it.effect.each(Object.entries(printed))("%s", ([page, expected]) =>
    Effect.gen(function*() {
      const output = yield* (yield* Terminal).run(commandsOf("docs/guides/README.md", page))
      let rest = output
      for (const text of expected) {
        assert.include(rest, text, output)
        rest = rest.slice(rest.indexOf(text) + text.length)
      }
    }), 600_000)
})

const between = (minimum: number, maximum: number) => Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum, maximum })))

it.effect.prop(
  "the formula of docs/guides/proration.md is the engine's",
  [between(0, 10 ** 12), between(0, 10 ** 12), between(1, 40_000_000), between(0, 40_000_000)],
  ([old_amount, new_amount, period, seconds]) =>
    Effect.gen(function*() {
      const [, script = ""] = /^```js\n([\s\S]*?)^```$/mu.exec(readFileSync(join(root, "docs/guides/proration.md"), "utf8")) ?? []
      const formula = yield* Effect.promise(() => import(`data:text/javascript,${encodeURIComponent(script)}`))
      const left = Math.min(seconds, period)
      const at = (second: number) => DateTime.makeUnsafe(second * 1000)
      const { adjustment, charge, credit } = prorate({
        old_amount,
        new_amount,
        period_start: at(0),
        period_end: at(period),
        at: at(period - left)
      })
      assert.deepStrictEqual(formula.prorate(old_amount, new_amount, left, period), { credit, charge, adjustment })
    }),
  { arbitrary: { runs: 200 } }
)
