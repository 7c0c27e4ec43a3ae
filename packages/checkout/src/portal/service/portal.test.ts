/** What the portal reads for a page: as much for many subscriptions and invoices as for one. */
import { assert, layer } from "@effect/vitest"
import { Accounts } from "@svc/accounts/accounts/service"
import { layerWith, must, openMerchant } from "@svc/testkit/contract/service"
import { Effect, References, Tracer } from "effect"
import { randomUUID } from "node:crypto"
import { PortalSessions } from "../../portal-sessions/service.ts"
import type { SessionOver } from "../errors.ts"
import { Portal } from "./portal.ts"

/** How many statements of SQL the effect sends: each is a span of a client. */
const statementsOf = Effect.fnUntraced(function*<A, E, R>(effect: Effect.Effect<A, E, R>) {
  let count = 0
  const tracer = Tracer.make({
    span: (options) => {
      if (options.kind === "client") count++
      return new Tracer.NativeSpan(options)
    }
  })
  yield* effect.pipe(Effect.provideService(Tracer.Tracer, tracer), Effect.provideService(References.TracerEnabled, true))
  return count
})

layer(layerWith({}), { excludeTestServices: true, timeout: 60_000 })("the portal's service", (it) => {
  it.effect("sends as many statements for five subscriptions, their methods and invoices as for one", () =>
    Effect.gen(function*() {
      const { id: account, key } = yield* openMerchant("Acme")
      const post = (path: string, body: object) => must("POST", path, { key, body: { ...body, idempotency_key: randomUUID() } })
      const subscribe = Effect.fnUntraced(function*(amount: number) {
        const { id: plan_id } = yield* post("/v1/plans", { name: `Plan ${amount}`, amount, currency: "USD", billing_period: "monthly" })
        yield* must("POST", `/v1/plans/${String(plan_id)}/activate`, { key })
        const { id: payment_method_id } = yield* post("/v1/payment_methods", { type: "card", token: "tok_visa", customer_id: "ana" })
        yield* post("/v1/subscriptions", { plan_id, customer_id: "ana", payment_method_id })
      })
      yield* subscribe(500)
      const { url } = yield* post("/v1/customer_portal/sessions", { customer_id: "ana" })
      const [, , id = "", secret = ""] = new URL(String(url), "http://localhost").pathname.split("/")
      const [accounts, portal, sessions] = [yield* Accounts, yield* Portal, yield* PortalSessions]
      const caller = { session: yield* sessions.at(id, secret), account: yield* accounts.facts(String(account)) }
      const pages: ReadonlyArray<Effect.Effect<unknown, SessionOver>> = [
        portal.subscriptions(caller),
        portal.storedMethods(caller),
        portal.invoicePage(caller, undefined)
      ]
      const few = yield* Effect.forEach(pages, (page) => statementsOf(page))
      for (const amount of [600, 700, 800, 900]) yield* subscribe(amount)
      assert.strictEqual((yield* portal.subscriptions(caller)).length, 5)
      assert.strictEqual((yield* portal.invoicePage(caller, undefined)).invoices.length, 5)
      assert.isTrue(few.every((count) => count > 0))
      assert.deepStrictEqual(yield* Effect.forEach(pages, (page) => statementsOf(page)), few)
    }))
})
