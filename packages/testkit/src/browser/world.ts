/** A merchant's checkout as its customers see it: the service behind a listener, a shop to come from and go back to, and a browser. */
import { listen } from "@svc/server/listener"
import * as routes from "@svc/server/routes"
import { Context, Effect, Layer, Logger } from "effect"
import { HttpServer } from "effect/http"
import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import { layerService, must, openMerchant } from "../contract/service.ts"
import { servicesWith } from "../services.ts"
import { Browser } from "./chromium.ts"
import { recorderBefore } from "./recorder.ts"

/** What reaches the service and what it logs, and which pages of the shop were seen. */
export class World extends Context.Service<World, {
  readonly received: () => string
  readonly logged: () => string
  readonly shopped: () => ReadonlyArray<string>
}>()("@svc/testkit/browser/World") {}

class Log extends Context.Service<Log, { readonly lines: Array<string> }>()("@svc/testkit/browser/Log") {}

const layerLog = Layer.unwrap(Effect.sync(() => {
  const lines: Array<string> = []
  const logger = Logger.make((options) => {
    lines.push(Logger.formatJson.log(options))
  })
  return Layer.merge(Logger.layer([logger]), Layer.succeed(Log, { lines }))
}))

/** Where customers come from and go back to. */
const shop = Effect.acquireRelease(
  Effect.callback<{ readonly port: number; readonly visits: ReadonlyArray<string>; readonly close: () => void }>((resume) => {
    const visits: Array<string> = []
    const server = createServer((request, response) => {
      if (request.url !== "/favicon.ico") visits.push(request.url ?? "")
      response.setHeader("content-type", "text/html")
      response.end("<!doctype html><title>Shop</title><h1>Shop</h1>")
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resume(
        Effect.succeed({ port: typeof address === "object" && address !== null ? address.port : 0, visits, close: () => server.close() })
      )
    })
  }),
  ({ close }) => Effect.sync(close)
)

const hosts = Effect.gen(function*() {
  const { address } = yield* HttpServer.HttpServer
  const [recorder, { lines }] = [yield* recorderBefore(Number(new URL(HttpServer.formatAddress(address)).port)), yield* Log]
  const { port, visits } = yield* shop
  const world = World.of({ received: recorder.received, logged: () => lines.join("\n"), shopped: () => visits })
  return Layer.merge(Layer.succeed(World, world), Browser.layer(Effect.succeed({ "svc.test": recorder.port, "shop.test": port })))
})

/** Links of the service begin with `http://svc.test`, as in all tests. `environment` holds variables of the service. */
export const layerWith = (environment: Readonly<Record<string, string>>) =>
  Layer.unwrap(hosts).pipe(
    Layer.provideMerge(layerService),
    Layer.provideMerge(listen(routes.layer, { port: 0, host: "127.0.0.1", variable: "API_PORT" })),
    Layer.provideMerge(servicesWith({ environment })),
    Layer.provideMerge(layerLog)
  )

export const layer = layerWith({})

export interface Opened {
  readonly id: string
  readonly url: string
  readonly key: string
  readonly account: string
}

const mugs = {
  currency: "EUR",
  line_items: [{ name: "Ceramic mug, sand", quantity: 2, unit_amount: 1_800 }, { name: "Shipping", quantity: 1, unit_amount: 490 }]
}

export interface Asked {
  readonly branding?: { readonly color?: string; readonly name?: string; readonly logo_url?: string }
  readonly session?: object
}

/** Opens a merchant and a session for two mugs, or for what is said. */
export const openCheckout = Effect.fnUntraced(function*({ branding, session = {} }: Asked = {}) {
  const { id: account, key } = yield* openMerchant("Nordlicht Keramik")
  if (branding !== undefined) yield* must("PATCH", "/v1/account", { key, body: { settings: { branding } } })
  const { id, url } = yield* must("POST", "/v1/checkout/sessions", {
    key,
    headers: { "Idempotency-Key": randomUUID() },
    body: {
      mode: "payment",
      ...mugs,
      customer_email: "ana@example.com",
      success_url: "http://shop.test/thanks?session={CHECKOUT_SESSION_ID}",
      cancel_url: "http://shop.test/cart",
      ...session
    }
  })
  return { id: String(id), url: String(url), key, account } satisfies Opened
})

/** The session as the merchant sees it. */
export const sessionOf = ({ id, key }: Opened) => must("GET", `/v1/checkout/sessions/${id}`, { key })

/** What its payments came to. */
export const paymentsOf = Effect.fnUntraced(function*({ key }: Pick<Opened, "key">) {
  const { data } = yield* must("GET", "/v1/payment_intents", { key })
  return (Array.isArray(data) ? data : []).map(({ captured_amount, state }: { readonly state: string; readonly captured_amount: number }) =>
    [state, captured_amount] as const
  )
})

/** The types of the account's events, in order. */
export const eventsOf = Effect.fnUntraced(function*({ key }: Opened) {
  const { data } = yield* must("GET", "/v1/events?per_page=100", { key })
  return (Array.isArray(data) ? data : []).map(({ type }: { readonly type: string }) => type).toReversed()
})

export interface AskedPlan extends Asked {
  /** Days of a trial; none when left out. */
  readonly trial?: number
}

/** Opens a merchant with a plan of 19.00 a month, and a session to subscribe to it. */
export const openSubscription = Effect.fnUntraced(function*({ branding = { color: "#0b5d4e" }, session = {}, trial = 0 }: AskedPlan = {}) {
  const { id: account, key } = yield* openMerchant("Nordlicht Studio")
  const keyed = () => ({ key, headers: { "Idempotency-Key": randomUUID() } })
  yield* must("PATCH", "/v1/account", { key, body: { settings: { branding } } })
  const plan = yield* must("POST", "/v1/plans", {
    ...keyed(),
    body: { name: "Professional", amount: 1_900, currency: "EUR", billing_period: "monthly", trial_period_days: trial }
  })
  yield* must("POST", `/v1/plans/${String(plan["id"])}/activate`, { key })
  const { id, url } = yield* must("POST", "/v1/checkout/sessions", {
    ...keyed(),
    body: {
      mode: "subscription",
      plan_id: plan["id"],
      customer_email: "ana@example.com",
      success_url: "http://shop.test/thanks?session={CHECKOUT_SESSION_ID}",
      cancel_url: "http://shop.test/plans",
      ...session
    }
  })
  return { id: String(id), url: String(url), key, account } satisfies Opened
})

/** The statuses of the account's subscriptions, the oldest first. */
export const subscriptionsOf = Effect.fnUntraced(function*({ key }: Opened) {
  const { data } = yield* must("GET", "/v1/subscriptions", { key })
  return (Array.isArray(data) ? data : []).map(({ status }: { readonly status: string }) => status).toReversed()
})

export interface OverdueInvoice {
  /** Of the invoice. */
  readonly id: string
  readonly url: string
  readonly key: string
  readonly subscription: string
}

/**
 * Opens a merchant with a subscription whose first payment was declined; gives its invoice, whose customer reads this language. Null is one
 * that nobody knows.
 */
export const openOverdue = Effect.fnUntraced(function*(locale: string | null) {
  const { key } = yield* openMerchant("Nordlicht Studio")
  const post = (path: string, body: object) => must("POST", path, { key, body: { ...body, idempotency_key: randomUUID() } })
  yield* must("PATCH", "/v1/account", { key, body: { settings: { branding: { color: "#0b5d4e" } } } })
  const plan = yield* post("/v1/plans", { name: "Professional", amount: 1_900, currency: "EUR", billing_period: "monthly" })
  yield* must("POST", `/v1/plans/${String(plan["id"])}/activate`, { key })
  yield* post("/v1/customers", { customer_id: "ana", name: "Ana Berg", email: "ana@example.com", locale })
  const { id: subscription } = yield* post("/v1/subscriptions", {
    plan_id: plan["id"],
    customer_id: "ana",
    payment_method_id: "tok_insufficient_funds"
  })
  const { data } = yield* must("GET", "/v1/invoices", { key })
  const [invoice] = (Array.isArray(data) ? data : []).map(({ hosted_url, id }: { readonly id: string; readonly hosted_url: string }) => ({
    id,
    url: hosted_url
  }))
  return { id: invoice?.id ?? "", url: invoice?.url ?? "", key, subscription: String(subscription) } satisfies OverdueInvoice
})
