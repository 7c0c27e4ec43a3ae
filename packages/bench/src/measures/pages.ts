/** How long a customer waits: for the checkout page while the service is half busy, and for an invoice as a PDF. */
import { Clock, Effect, Fiber, Schedule, Schema } from "effect"
import { randomUUID } from "node:crypto"
import { Connection } from "../load/connection.ts"
import { latencies } from "../load/histogram.ts"
import { Pool } from "../load/pool.ts"
import { secretKey } from "../merchants.ts"
import { settleAfterLoad } from "../postgres.ts"
import { BenchFailed, load } from "../processes.ts"
import { atMost, figure, type Row } from "../report.ts"
import { Stage } from "../stage.ts"

const PAGE_MILLIS = 30
const PAGES_PER_SECOND = 20
const CONNECTIONS = 8
const PDF_MILLIS = 200
const PDFS = 40

const identified = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ id: Schema.String })))
const opened = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ url: Schema.String })))
const listed = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ data: Schema.Array(Schema.Struct({ id: Schema.String })) })))

const attempt = <A>(run: () => Promise<A>) =>
  Effect.tryPromise({ try: run, catch: (error) => new BenchFailed({ message: `A page could not be had: ${String(error)}` }) })

/** What a first merchant does through the API. */
const merchantAt =
  (connection: Connection) => async (method: string, path: string, body?: Readonly<Record<string, unknown>>, head = "") => {
    const answer = await connection.send(method, path, secretKey(0), body === undefined ? "" : JSON.stringify(body), head)
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.body.slice(0, 300)}`)
    return answer.body
  }

type Merchant = ReturnType<typeof merchantAt>

const openCheckout = async (ask: Merchant): Promise<string> => {
  const sold = {
    mode: "payment",
    currency: "USD",
    success_url: "https://shop.example/thanks",
    line_items: [{ name: "Notebook", quantity: 1, unit_amount: 4900 }]
  }
  const session = await ask("POST", "/v1/checkout/sessions", sold, `Idempotency-Key: ${randomUUID()}\r\n`)
  return new URL(opened(session).url).pathname
}

/** An invoice of a subscription that was charged. */
const paidInvoice = async (ask: Merchant): Promise<string> => {
  const plan = identified(await ask("POST", "/v1/plans", { name: "Pro", amount: 2000, currency: "USD", billing_period: "monthly" }))
  await ask("POST", `/v1/plans/${plan.id}/activate`)
  await ask("POST", "/v1/subscriptions", {
    plan_id: plan.id,
    customer_id: "customer-pdf",
    payment_method_id: "tok_visa",
    idempotency_key: randomUUID()
  })
  const [invoice] = listed(await ask("GET", "/v1/invoices")).data
  if (invoice === undefined) throw new Error("there is no invoice")
  return invoice.id
}

export const pages = Effect.gen(function*() {
  const stage = yield* Stage
  const { database, plan, server } = stage
  const rate = (yield* stage.maximum) / 2
  const connection = yield* Effect.acquireRelease(Effect.sync(() => new Connection(server.port)), (open) => Effect.sync(() => open.close()))
  const ask = merchantAt(connection)
  const path = yield* attempt(() => openCheckout(ask))
  const invoice = yield* attempt(() => paidInvoice(ask))
  yield* settleAfterLoad(database.name)
  const pool = yield* Effect.acquireRelease(
    Effect.sync(() => new Pool(server.port, CONNECTIONS)),
    (open) => Effect.sync(() => open.close())
  )
  const times: Array<number> = []
  const look = Effect.gen(function*() {
    const begun = yield* Clock.monotonicTimeNanos
    const { status } = yield* attempt(() => pool.send("GET", path, "", ""))
    if (status !== 200) return yield* new BenchFailed({ message: `The checkout page answered ${status}.` })
    times.push(Number((yield* Clock.monotonicTimeNanos) - begun) / 1e6)
  })
  const busy = {
    kind: "charges",
    port: server.port,
    connections: plan.connections,
    firstMerchant: 0,
    merchants: plan.merchants,
    rate,
    warmup: 0
  } as const
  yield* load({ ...busy, seconds: plan.warmup })
  const visitors = yield* Effect.forkChild(Effect.forkChild(look).pipe(Effect.repeat(Schedule.fixed(`${1000 / PAGES_PER_SECOND} millis`))))
  yield* load({ ...busy, seconds: plan.latencySeconds })
  yield* Fiber.interrupt(visitors)
  const page = latencies(times)
  const documents: Array<number> = []
  for (let n = -5; n < PDFS; n++) {
    const begun = yield* Clock.monotonicTimeNanos
    yield* attempt(() => ask("GET", `/v1/invoices/${invoice}/pdf`))
    if (n >= 0) documents.push(Number((yield* Clock.monotonicTimeNanos) - begun) / 1e6)
  }
  const pdf = latencies(documents)
  return [
    atMost(
      `checkout page to its last byte at ${figure(rate)} charges/s (half), p99`,
      page.p99,
      PAGE_MILLIS,
      `${figure(page.p99)} ms (median ${figure(page.p50)}, ${page.count} pages)`,
      `<= ${PAGE_MILLIS} ms`
    ),
    atMost(
      "invoice as a PDF, median",
      pdf.p50,
      PDF_MILLIS,
      `${figure(pdf.p50)} ms (p99 ${figure(pdf.p99)}, ${pdf.count} documents)`,
      `<= ${PDF_MILLIS} ms`
    )
  ] satisfies ReadonlyArray<Row>
}).pipe(Effect.scoped)
