/** The endpoint in JavaScript: one core, and for each framework the lines that join it. */
import { type Guard, windowSeconds } from "./guard.ts"

const budget = ({ budget_per_run_cents }: Guard): string =>
  budget_per_run_cents === undefined ? "Number(need(\"AGENT_BUDGET_CENTS\"))" : String(budget_per_run_cents)

const core = (guard: Guard): string =>
  `import { createHash, timingSafeEqual } from "node:crypto"

/** @param {string} name */
const need = (name) => {
  const value = process.env[name]
  if (!value) throw new Error(name + " is not set")
  return value
}

const BUDGET_CENTS = ${budget(guard)}
/** Seconds that spending is summed over; 0: the budget is that of each call. */
const WINDOW_SECONDS = ${windowSeconds(guard)}
const PAYMENTS = need("SVC_URL")
const KEY = need("SVC_API_KEY")
const AGENT_TOKEN = need("AGENT_TOKEN")
if (!Number.isSafeInteger(BUDGET_CENTS)) throw new Error("AGENT_BUDGET_CENTS is not a whole number")

/** @typedef {{ status: number, body: unknown }} Answer */
/** Both are this process's memory: where several processes run, a table of the database stands in their place. */
/** @type {{ key: string, at: number, cents: number }[]} */
let spending = []
/** @type {Map<string, { request: string, answer: Promise<Answer> }>} */
const answers = new Map()

/** @param {string} text */
const digest = (text) => createHash("sha256").update(text).digest()

/** @param {number} status @param {string} code @param {string} message @returns {Answer} */
const refuse = (status, code, message) => ({ status, body: { error: { code, message } } })

/** Counts the amount once for its key. @param {string} key @param {number} amount */
const spend = (key, amount) => {
  const now = Math.floor(performance.now() / 1000)
  spending = spending.filter(({ at }) => now - at < WINDOW_SECONDS)
  const before = spending.filter((one) => one.key !== key).reduce((sum, { cents }) => sum + cents, 0)
  if (before + amount > BUDGET_CENTS) return undefined
  if (WINDOW_SECONDS > 0 && !spending.some((one) => one.key === key)) spending.push({ key, at: now, cents: amount })
  return () => { spending = spending.filter((one) => one.key !== key) }
}

/** @typedef {{ amount: number, currency: string, payment_method_id: string }} Order */
/** @param {string} idempotency_key @param {Order} order @returns {Promise<Answer>} */
const pay = async (idempotency_key, order) => {
  const giveBack = spend(idempotency_key, order.amount)
  if (giveBack === undefined) return refuse(403, "budget_exceeded", "The purchase is over the budget of " + BUDGET_CENTS + " cents.")
  const { amount, currency, payment_method_id } = order
  const response = await fetch(PAYMENTS + "/v1/payment_intents", {
    method: "POST",
    headers: { authorization: "Bearer " + KEY, "content-type": "application/json" },
    body: JSON.stringify({ amount, currency, payment_method_id, capture: true, idempotency_key })
  })
  const body = await response.json()
  // An answer of 5xx leaves the outcome open: what was spent stays counted.
  if (response.status < 500 && body.state !== "captured" && body.state !== "pending") giveBack()
  return { status: response.status, body }
}

/** @param {any} order */
const isOrder = (order) =>
  Number.isSafeInteger(order?.amount) && order.amount > 0 && /^[A-Z]{3}$/.test(order.currency) &&
  typeof order.payment_method_id === "string"

/**
 * A purchase of an agent: the credential, the key of the operation, the order, then the budget and the payment.
 * @param {string | null | undefined} authorization @param {string | null | undefined} key @param {unknown} given @returns {Promise<Answer>}
 */
export const purchase = async (authorization, key, given) => {
  if (!timingSafeEqual(digest(authorization ?? ""), digest("Bearer " + AGENT_TOKEN))) {
    return refuse(401, "unauthorized", "The token is not that of an agent.")
  }
  if (!key || key.length > 255) {
    return refuse(400, "idempotency_key_missing", "Send a random Idempotency-Key, and send it again on a retry only.")
  }
  if (!isOrder(given)) return refuse(400, "invalid_order", "Send amount in minor units, currency and payment_method_id.")
  const request = JSON.stringify(given)
  const kept = answers.get(key)
  if (kept !== undefined) return kept.request === request ? kept.answer : refuse(409, "key_reused", "The key belongs to another order.")
  const answer = pay(key, /** @type {any} */ (given))
  answers.set(key, { request, answer })
  // What failed on the way may be sent again with the same key.
  answer.then(({ status }) => { if (status >= 500) answers.delete(key) }, () => answers.delete(key))
  return answer.catch(() => refuse(502, "payments_unreachable", "No answer of the payments: send the same key again."))
}
`

const PATH = "/agent/purchases"

const node = `
/** @param {import("node:http").IncomingMessage} request */
const bodyOf = async (request) => {
  let text = ""
  for await (const chunk of request) {
    text += chunk
    if (text.length > 65_536) return undefined
  }
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** @param {import("node:http").IncomingMessage} request @param {import("node:http").ServerResponse} response */
export const handle = async (request, response) => {
  const isPurchase = request.method === "POST" && request.url === "${PATH}"
  const key = request.headers["idempotency-key"]
  const { status, body } = isPurchase
    ? await purchase(request.headers.authorization, typeof key === "string" ? key : undefined, await bodyOf(request))
    : refuse(404, "not_found", "POST ${PATH} takes purchases.")
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
}

if (process.argv[1] === import.meta.filename) createServer(handle).listen(Number(process.env.PORT ?? 3000))
`

const express = `
export const purchases = express.Router()
purchases.post("${PATH}", express.json({ limit: "64kb" }), async (request, response) => {
  const { status, body } = await purchase(request.get("authorization"), request.get("idempotency-key"), request.body)
  response.status(status).json(body)
})
`

const fastify = `
/** @param {any} app */
export default async function purchases(app) {
  app.post("${PATH}", { bodyLimit: 65_536 }, async (/** @type {any} */ request, /** @type {any} */ reply) => {
    const { status, body } = await purchase(request.headers.authorization, request.headers["idempotency-key"], request.body)
    return reply.code(status).send(body)
  })
}
`

const hono = `
export const purchases = new Hono()
purchases.post("${PATH}", bodyLimit({ maxSize: 65_536 }), async (c) => {
  const given = await c.req.json().catch(() => undefined)
  const { status, body } = await purchase(c.req.header("authorization"), c.req.header("idempotency-key"), given)
  return c.json(body, status)
})
`

const next = `
/** @param {Request} request */
export async function POST(request) {
  const given = await request.json().catch(() => undefined)
  const { status, body } = await purchase(request.headers.get("authorization"), request.headers.get("idempotency-key"), given)
  return Response.json(body, { status })
}
`

const joined = {
  http: { imports: "import { createServer } from \"node:http\"\n", adapter: node },
  express: { imports: "import express from \"express\"\n", adapter: express },
  fastify: { imports: "", adapter: fastify },
  hono: { imports: "import { Hono } from \"hono\"\nimport { bodyLimit } from \"hono/body-limit\"\n", adapter: hono },
  // A route of Next exports its methods and nothing else.
  next: { imports: "", adapter: next }
} as const

export type JavaScriptFramework = keyof typeof joined

export const javascript = (framework: JavaScriptFramework, guard: Guard): string => {
  const { adapter, imports } = joined[framework]
  const code = `${imports}${core(guard)}${adapter}`
  return framework === "next" ? code.replace("export const purchase =", "const purchase =") : code
}
