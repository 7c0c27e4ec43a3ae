/** `_meta` of a call says what headers say, and never something else. */
import { assert, describe, it } from "@effect/vitest"
import type { ToolRequest } from "@svc/tool-kit/gate/model"
import { Result } from "effect"
import { callMeta, withCallMeta } from "./call-meta.ts"

const request = (meta: ToolRequest["meta"], headers: ToolRequest["headers"] = {}): ToolRequest => ({
  name: "any",
  arguments: {},
  headers,
  meta,
  url: "http://localhost/mcp",
  address: undefined
})

const budget = { budget_per_run_cents: 5, spending_window: "daily" }

describe("_meta of a call", () => {
  it("is read as the headers that say the same", () => {
    const meta = { "svc/idempotency_key": "k-1", "svc/mode": "lite", "svc/budget": budget, "svc/allow_duplicate": true, progressToken: 1 }
    assert.deepStrictEqual(Result.getOrThrow(withCallMeta(request(meta, { host: "localhost" }))).headers, {
      host: "localhost",
      "idempotency-key": "k-1",
      "x-agent-mode": "lite",
      "x-agent-budget": JSON.stringify(budget),
      "x-svc-allow-duplicate": "true"
    })
  })

  it("costs a call without it nothing: the request is the same", () => {
    const plain = request({ progressToken: 1 }, { "x-agent-mode": "lite" })
    assert.strictEqual(Result.getOrThrow(withCallMeta(plain)), plain)
  })

  it.each(
    [
      ["svc/idempotency_key", "k-1", "k-1"],
      ["svc/mode", "LITE", "lite"],
      ["svc/budget", budget, "{ \"spending_window\": \"daily\", \"budget_per_run_cents\": 5 }"],
      ["svc/allow_duplicate", true, "TRUE"]
    ] as const
  )("and a header may both say %s where they agree", (name, value, header) => {
    const read = withCallMeta(request({ [name]: value }, { [callMeta[name].header]: header }))
    assert.strictEqual(Result.getOrThrow(read).headers[callMeta[name].header], header)
  })

  it.each(
    [
      ["svc/idempotency_key", "k-1", "k-2"],
      ["svc/mode", "lite", "engineer"],
      ["svc/budget", budget, "{\"budget_per_run_cents\":6}"],
      ["svc/allow_duplicate", false, "true"]
    ] as const
  )("and a header that disagree on %s are refused", (name, value, header) => {
    const read = withCallMeta(request({ [name]: value }, { [callMeta[name].header]: header }))
    assert.isTrue(Result.isFailure(read) && read.failure.includes(name) && read.failure.includes("different"))
  })

  it.each([["svc/idempotency_key", 7], ["svc/mode", null], ["svc/budget", 5], ["svc/allow_duplicate", 1]] as const)(
    "refuses %s: %j",
    (name, value) => {
      const read = withCallMeta(request({ [name]: value }))
      assert.isTrue(Result.isFailure(read) && read.failure.startsWith(`_meta["${name}"]: takes `))
    }
  )
})
