import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { signs } from "../facts/code/payment-signs.ts"
import { fact } from "../facts/model.ts"
import { makeProject } from "../facts/project.ts"
import { projectIn } from "../testing/repository.ts"
import { checks } from "./checks.ts"
import { findingOf } from "./finding.ts"
import { risks } from "./model.ts"
import { gapsOf, readinessOf } from "./score.ts"
import { bicycles, boaster, concerts } from "./stores.fixture.ts"

const statuses = (project: Parameters<typeof readinessOf>[0]) =>
  Object.fromEntries(readinessOf(project).checks.map(({ id, status }) => [id, status]))

describe("readiness", () => {
  it.each([["TypeScript", bicycles], ["Python", concerts]] as const)("is whole for a shop in %s that does all of it", async (_, shop) => {
    const readiness = readinessOf(await projectIn(shop))
    assert.deepStrictEqual(gapsOf(readiness).map((gap) => findingOf(gap, readiness.searched)), [])
    assert.deepInclude(readiness, { score: 100, risk: "low" })
  })

  it("is nothing for words in documents, comments, tests, examples, texts and code that nothing leads to", async () => {
    const readiness = readinessOf(await projectIn(boaster))
    assert.deepInclude(readiness, { score: 0, risk: "critical", searched: 1 })
    for (const { found } of readiness.checks) assert.deepStrictEqual(found.flatMap(({ facts }) => facts), [])
  })

  it("says the places of what is there, and what was searched for the rest", async () => {
    const readiness = readinessOf(await projectIn({ "src/hook.ts": "export const signature = headers[\"stripe-signature\"]\n" }))
    const webhooks = readiness.checks.find(({ id }) => id === "webhook_verification")
    assert.deepInclude(webhooks, { status: "partial", points: 10 })
    assert.strictEqual(
      webhooks === undefined ? "" : findingOf(webhooks, readiness.searched),
      "Found a signature header that is read: stripe-signature (src/hook.ts:1). Not found: a call that compares the signature. " +
        "Searched: 1 file of code."
    )
  })

  it("weighs a hundred points, and each check has a fact for each need in one of the shops", async () => {
    assert.strictEqual(checks.reduce((sum, { weight }) => sum + weight, 0), 100)
    assert.deepStrictEqual(checks.filter(({ critical }) => critical).map(({ id }) => id), ["budget_guard"])
  })

  it("drops a check when its lines are removed", async () => {
    for (const shop of [bicycles, concerts]) {
      const whole = readinessOf(await projectIn(shop))
      for (const { found, id } of whole.checks) {
        const gone = new Set(
          found.flatMap(({ facts }) => facts.flatMap(({ evidence }) => evidence.map((at) => `${at.path}:${at.start_line}`)))
        )
        const rest = Object.fromEntries(
          Object.entries(shop).map(([path, text]) => [
            path,
            text.split("\n").map((line, at) => gone.has(`${path}:${at + 1}`) ? "" : line).join("\n")
          ])
        )
        const left = await projectIn(rest)
        assert.notStrictEqual(statuses(left)[id], "pass", id)
        assert.isBelow(readinessOf(left).score, whole.score, id)
      }
    }
  })

  it.prop(
    "never falls as signs are added",
    [Arbitrary.schema(Schema.Array(Schema.Literals(signs.map(({ name }) => name)))), Arbitrary.schema(Schema.Int)],
    ([names, cut]) => {
      const at = { path: "a.ts", start_line: 1, end_line: 1 }
      const projectWith = (some: typeof names) =>
        makeProject({ project_name: "a" }, [{
          path: "a.ts",
          facts: [
            fact("file", "a.ts", { language: "TypeScript", role: "source", lines: 1, bytes: 1 }, at),
            ...some.map((name) => fact("payment-sign", name, { text: name, within: null }, at))
          ]
        }])
      const [some, all] = [readinessOf(projectWith(names.slice(0, Math.abs(cut) % (names.length + 1)))), readinessOf(projectWith(names))]
      assert.isAtLeast(all.score, some.score)
      assert.isAtMost(risks.indexOf(all.risk), risks.indexOf(some.risk))
    },
    { arbitrary: { runs: 200 } }
  )

  it("puts the gaps of an area first, and what is critical before what costs more", async () => {
    const nothing = readinessOf(makeProject({ project_name: "a" }, []))
    assert.deepStrictEqual(gapsOf(nothing).slice(0, 3).map(({ id }) => id), ["budget_guard", "psp_integration", "webhook_verification"])
    assert.deepStrictEqual(gapsOf(nothing, ["mandate"]).slice(0, 3).map(({ id }) => id), [
      "budget_guard",
      "payment_mandate",
      "psp_integration"
    ])
    assert.deepStrictEqual(gapsOf(nothing, ["tap"])[0]?.id, "webhook_verification")
  })

  it("names the frameworks that serve routes", async () => {
    assert.deepStrictEqual(readinessOf(await projectIn(bicycles)).frameworks, ["express"])
    assert.deepStrictEqual(readinessOf(await projectIn(concerts)).frameworks, ["fastapi"])
  })
})
