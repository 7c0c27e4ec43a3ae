/** The data of a dump: what a merchant did with the public API of a state. Steps for which that state has no route are left out. */
import { parseJson } from "@svc/kernel/values/json"
import { iso, realNow } from "@svc/kernel/values/time"
import { DateTime, Effect } from "effect"
import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import type { DumpedMerchant, Exchange } from "./dump.ts"

/** A month, so that subscriptions have a second cycle and settlements have arrived. */
const DAYS_PASSED = 35
/** A bank account of the sandbox, to which payouts arrive. */
const IBAN = "DE89370400440532013000"

type Json = Readonly<Record<string, unknown>>

export const objectOf = (text: string): Json => {
  const value: unknown = text === "" ? {} : parseJson(text)
  return typeof value === "object" && value !== null ? { ...value } : {}
}

export interface State {
  readonly api: string
  readonly tools: string
  /** The paths of its API's document. */
  readonly paths: ReadonlySet<string>
}

interface Step {
  readonly name: string
  readonly server?: "api" | "tools"
  readonly path: string
  readonly fields?: Json
  /** Whether the body has an idempotency key. */
  readonly keyed?: boolean
  /** Statuses that may answer it besides those of success. */
  readonly refused?: ReadonlyArray<number>
}

/** Asks a state, and keeps each write and its answer. */
export const makeRecorder = (state: State) => {
  const exchanges: Array<Exchange> = []
  const ask = async (key: string, method: string, url: string, body?: string) => {
    const answer = await fetch(url, {
      method,
      headers: {
        ...(key === "" ? {} : { Authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" })
      },
      ...(body === undefined ? {} : { body })
    })
    return { status: answer.status, text: await answer.text() }
  }
  const read = async (key: string, path: string) => objectOf((await ask(key, "GET", `${state.api}${path}`)).text)
  const by = (key: string) => async ({ fields = {}, keyed = true, name, path, refused = [], server = "api" }: Step): Promise<Json> => {
    const body = JSON.stringify({ ...fields, ...(keyed ? { idempotency_key: randomUUID() } : {}) })
    const { status, text } = await ask(key, "POST", `${state[server]}${path}`, body)
    if (status >= 300 && !refused.includes(status)) throw new Error(`${name}: POST ${path} answered ${status} ${text}`)
    exchanges.push({ name, server, key, method: "POST", path, body, status, answer: text })
    return objectOf(text)
  }
  return { exchanges, by, read, has: (path: string) => state.paths.has(path) }
}
export type Recorder = ReturnType<typeof makeRecorder>

/** Payments in each state that a later version has to go on with. */
const payments = async ({ by, has }: Recorder, key: string) => {
  const post = by(key)
  const create = async (name: string) => {
    const { id } = await post({
      name: `${name}.create`,
      path: "/v1/payment_intents",
      fields: { amount: 2000, currency: "EUR", metadata: { order: name } }
    })
    return (verb: string, fields: Json = {}, refused: ReadonlyArray<number> = []) =>
      post({ name: `${name}.${verb}`, path: `/v1/payment_intents/${String(id)}/${verb}`, fields, refused })
  }
  const paidBy = async (name: string, payment_method_id: string, refused?: ReadonlyArray<number>) => {
    const step = await create(name)
    await step("authorize", { payment_method_id }, refused)
    return step
  }
  await create("created")
  await paidBy("declined", "tok_generic_decline", [402])
  await paidBy("action", "tok_requires_action", [402])
  await paidBy("authorized", "tok_visa")
  await paidBy("fallen_over", "tok_processing_error")
  const voided = await paidBy("voided", "tok_visa")
  await voided("void")
  const partly = await paidBy("partly_captured", "tok_visa")
  await partly("capture", { amount: 1200 })
  for (const name of ["captured", "partly_refunded", "refunded", "disputed"]) {
    const step = await paidBy(name, "tok_visa")
    const { id } = await step("capture")
    if (name === "partly_refunded") await step("refund", { amount: 500 })
    if (name === "refunded") await step("refund")
    if (name === "disputed" && has("/v1/disputes/simulate")) {
      await post({ name: "dispute", path: "/v1/disputes/simulate", fields: { payment_intent_id: id, reason: "13.1" } })
    }
  }
}

const billing = async ({ by, has }: Recorder, key: string) => {
  if (!has("/v1/subscriptions")) return
  const post = by(key)
  await post({ name: "customer", path: "/v1/customers", fields: { customer_id: "customer-1", name: "Jo Miller", email: "jo@example.com" } })
  const plan = await post({
    name: "plan",
    path: "/v1/plans",
    fields: { name: "Professional", amount: 2000, currency: "EUR", billing_period: "monthly" }
  })
  if (plan["status"] === "draft") await post({ name: "plan.activate", path: `/v1/plans/${String(plan["id"])}/activate`, keyed: false })
  const subscribe = async (name: string, token: string) => {
    const { id: payment_method_id } = await post({
      name: `${name}.method`,
      path: "/v1/payment_methods",
      fields: { type: "card", token, customer_id: "customer-1" },
      keyed: false
    })
    return post({
      name,
      path: "/v1/subscriptions",
      fields: { plan_id: plan["id"], customer_id: "customer-1", payment_method_id },
      refused: [402]
    })
  }
  await subscribe("subscribed", "tok_visa")
  await subscribe("subscription_declined", "tok_insufficient_funds")
  const { id } = await subscribe("subscription_cancelled", "tok_mastercard")
  await post({
    name: "subscription_cancelled.cancel",
    path: `/v1/subscriptions/${String(id)}/cancel`,
    fields: { reason: "too_expensive" },
    keyed: false,
    refused: [400]
  })
}

const treasury = async ({ by, has }: Recorder, key: string) => {
  if (!has("/v1/payouts")) return
  const post = by(key)
  const { id } = await post({
    name: "bank",
    path: "/v1/transfer_instruments",
    fields: { type: "bank_account", currency: "EUR", holder_name: "Acme", number: IBAN }
  })
  await post({ name: "bank.verify", path: `/v1/transfer_instruments/${String(id)}/verify`, fields: { method: "instant" }, keyed: false })
  await post({ name: "bank.activate", path: `/v1/transfer_instruments/${String(id)}/activate`, keyed: false })
  await post({ name: "payout", path: "/v1/payouts", fields: { amount: 1000, currency: "EUR", destination_id: id } })
}

/** An account of the tool server that buys credits, calls a free tool, and pays for another with credits. */
const agents = async ({ by }: Recorder) => {
  const tools = { server: "tools", keyed: false } as const
  const account = await by("")({
    ...tools,
    name: "tool_account",
    path: "/v1/accounts",
    fields: { email: "ada@example.com", name: "Ada" },
    refused: [404, 501]
  })
  if (typeof account["api_key"] !== "string") return
  const post = by(account["api_key"])
  const call = (id: number, name: string, more: Json = {}) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name, ...more } })
  await post({
    ...tools,
    name: "credits",
    path: "/v1/credits/purchases",
    fields: { amount: 500, payment_method_id: "tok_visa" },
    keyed: true
  })
  await post({ ...tools, name: "tool.free", path: "/mcp", fields: call(1, "sca_exemption_decision", { arguments: { amount_eur: 25 } }) })
  await post({ ...tools, name: "tool.credits", path: "/mcp", fields: call(2, "svc_object_storage", { arguments: { operation: "list" } }) })
}

/** A month passes for a merchant with a clock of its own. */
const passDays = async ({ by, has, read }: Recorder, key: string) => {
  if (!has("/v1/test_clocks")) return
  const { id } = await by(key)({ name: "clock", path: "/v1/test_clocks", keyed: false })
  const path = `/v1/test_clocks/${String(id)}`
  await by(key)({
    name: "clock.advance",
    path: `${path}/advance`,
    fields: { to: iso(DateTime.add(Effect.runSync(realNow), { days: DAYS_PASSED })) },
    keyed: false
  })
  for (let n = 0; n < 240 && (await read(key, path))["status"] !== "ready"; n++) await sleep(500)
}

export const play = async (recorder: Recorder, merchant: DumpedMerchant, clocked: DumpedMerchant): Promise<void> => {
  for (const { secret_key } of [merchant, clocked]) {
    await payments(recorder, secret_key)
    await billing(recorder, secret_key)
  }
  await passDays(recorder, clocked.secret_key)
  await treasury(recorder, clocked.secret_key)
  await agents(recorder)
}
