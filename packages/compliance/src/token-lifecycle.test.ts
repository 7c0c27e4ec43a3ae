import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { TokenEvent, tokenMachine, TokenState, walk } from "./token-lifecycle.ts"

const { states, transitions } = tokenMachine
const events = TokenEvent.literals

/** Written by hand, state by event: what is not here is illegal. */
const legal: Readonly<Record<string, Readonly<Partial<Record<TokenEvent, TokenState>>>>> = {
  none: { provision: "provisioned" },
  provisioned: { activate: "active", delete: "deleted" },
  active: { suspend: "suspended", delete: "deleted" },
  suspended: { resume: "active", delete: "deleted" },
  deleted: {}
}

describe("the life of a network token", () => {
  it.for([null, ...states].flatMap((from) => events.map((event) => [from, event] as const)))("from %s by %s", ([from, event]) => {
    const to = legal[from ?? "none"]?.[event]
    assert.deepStrictEqual(
      walk(from, [event]),
      to === undefined
        ? { _tag: "Illegal", at: 0, from, event, history: [] }
        : { _tag: "Walked", state: to, history: [{ from, event, to }] }
    )
  })

  it("has each move once, and no move out of a terminal state", () => {
    assert.lengthOf(new Set(transitions.map(({ from, trigger }) => `${from} ${trigger}`)), transitions.length)
    for (const state of tokenMachine.terminal) assert.isEmpty(transitions.filter(({ from }) => from === state))
  })

  it("lives the whole life that the contract names", () => {
    const lived = walk(null, ["provision", "activate", "suspend", "resume", "delete"])
    assert.deepInclude(lived, { _tag: "Walked", state: "deleted" })
    assert.deepStrictEqual(lived.history.map(({ to }) => to), ["provisioned", "active", "suspended", "active", "deleted"])
  })

  it.prop("stops at the first illegal event, having done all before it", [Schema.Array(TokenEvent)], ([path]) => {
    const walked = walk(null, path)
    const done = walked._tag === "Illegal" ? walked.at : path.length
    assert.deepStrictEqual(walked.history.map(({ event }) => event), path.slice(0, done))
    for (const [at, move] of walked.history.entries()) assert.strictEqual(move.from, at === 0 ? null : walked.history[at - 1]?.to)
    // Whatever follows a delete is illegal.
    const deleted = path.slice(0, done).indexOf("delete")
    assert.isTrue(deleted === -1 || deleted === done - 1)
  }, { arbitrary: { runs: 500 } })
})
