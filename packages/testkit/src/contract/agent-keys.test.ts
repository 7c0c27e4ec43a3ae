/** A restricted key issues agent keys for what it may do itself: calls of tools spend the account's credits and delete its data. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { jsonOf, layer as service, must, openMerchant, restrictedKey, send } from "./service.ts"

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("an agent key", (it) => {
  it.effect("that may call a tool is issued by no key that may not let it", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("agents")
      const small = yield* restrictedKey(merchant, ["agent_keys:write"])
      const body = (...allowed_tools: ReadonlyArray<string>) => ({ name: "Agent", policy: { allowed_tools } })
      for (const tool of ["svc_analytics", "delete_snapshot", "svc_transactional_email", "ping_payment"]) {
        const refused = yield* send("POST", "/v1/agent_keys", { key: small, body: body(tool) })
        assert.deepInclude(jsonOf(refused), { error: "forbidden", details: { required_scope: "tool_calls:write" } }, tool)
      }
      yield* must("POST", "/v1/agent_keys", { key: small, body: body("list_programs") })
      // The scope is one that keys can be given.
      const made = yield* must("POST", "/v1/api_keys", {
        key: merchant.key,
        body: { kind: "restricted", name: "Agents", scopes: ["agent_keys:write", "tool_calls:write"] }
      })
      yield* must("POST", "/v1/agent_keys", { key: String(made["secret"]), body: body("svc_analytics", "delete_snapshot") })
    }))
})
