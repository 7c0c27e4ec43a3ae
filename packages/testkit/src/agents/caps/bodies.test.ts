/** How much of a body the tool server reads before it knows whose it is. */
import { assert, layer } from "@effect/vitest"
import { KEYLESS_KIB, MOST_KIB } from "@svc/doors/mcp/body"
import { BODY_KIB } from "@svc/kernel/http/body-limit"
import { Effect } from "effect"
import { Service } from "../../contract/service.ts"
import { layer as tools, openCaller } from "../service.ts"

const doors = ["/mcp", "/v1/mcp", "/rpc"]

/** Of so many kibibytes: a call that every door reads, with text that its tool refuses. */
const bodyOf = (path: string, kib: number) => {
  const [before, after] = path === "/rpc"
    ? ["{\"_tag\":\"Request\",\"id\":\"1\",\"tag\":\"list_programs\",\"headers\":[],\"payload\":{\"x\":\"", "\"}}\n"]
    : ["{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"list_programs\",\"arguments\":{\"x\":\"", "\"}}}"]
  return Buffer.from(`${before}${"x".repeat(kib * 1024 - before.length - after.length)}${after}`)
}

const post = Effect.fnUntraced(function*(target: string, body: Buffer, key?: string) {
  const wire = yield* Service
  return yield* Effect.orDie(
    wire.send({
      method: "POST",
      target,
      headers: [["Content-Type", "application/json"], ...(key === undefined ? [] : [["X-Svc-Key", key] as const])],
      body
    })
  )
})

layer(tools, { excludeTestServices: true, timeout: "60 seconds" })("a heavy body", (it) => {
  it.effect("is read as far as the tools take that need no key, until a key is recognised", () =>
    Effect.gen(function*() {
      assert.isBelow(KEYLESS_KIB, MOST_KIB / 2)
      const { key } = yield* openCaller("heavy")
      for (const door of doors) {
        const most = bodyOf(door, KEYLESS_KIB)
        const more = bodyOf(door, KEYLESS_KIB + 1)
        assert.notStrictEqual((yield* post(door, most)).status, 413, door)
        for (const stranger of [undefined, "svck_test_nobody", "agk_test_nobody"]) {
          assert.strictEqual((yield* post(door, more, stranger)).status, 413, `${door} ${stranger ?? "without a key"}`)
        }
        assert.notStrictEqual((yield* post(door, more, key)).status, 413, `${door} with a key`)
      }
      assert.strictEqual((yield* post("/mcp", bodyOf("/mcp", MOST_KIB + 1), key)).status, 413)
      assert.strictEqual((yield* post("/v1/analyze", Buffer.alloc((BODY_KIB + 1) * 1024, 0x20), key)).status, 413)
    }), 120_000)
})
