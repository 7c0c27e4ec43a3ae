/** A script that tries purchases with test money: at the payments API, and at the endpoint where its address is given. No dependency. */
import { commerceOf } from "../../agentic-purchasing/commerce.ts"
import { minorUnits } from "../../agentic-purchasing/prices.ts"
import { codeFile, comments } from "../../claims/comments.ts"
import { code } from "../../claims/inline.ts"
import { absence, type Block, claim } from "../../claims/model.ts"
import type { Project } from "../../facts/project.ts"
import type { EngineerArtifact } from "./endpoint.ts"
import type { Guard } from "./guard.ts"

interface Order {
  readonly amount: number
  readonly currency: string
}

const script = ({ amount, currency }: Order): string =>
  `import { randomUUID } from "node:crypto"

const need = (name) => {
  const value = process.env[name]
  if (!value) {
    console.error(name + " is not set: SVC_URL, and SVC_API_KEY of a sandbox account")
    process.exit(2)
  }
  return value
}
const api = need("SVC_URL")
const key = need("SVC_API_KEY")
if (key.startsWith("sk_live_")) {
  console.error("SVC_API_KEY is a live key: this test spends, and takes keys of a sandbox only")
  process.exit(2)
}
const order = { amount: ${amount}, currency: "${currency}" }

let number = 0
let failed = 0
const check = (name, holds, shown) => {
  number += 1
  if (!holds) failed += 1
  console.log((holds ? "ok " : "not ok ") + number + " - " + name + (holds ? "" : ": " + JSON.stringify(shown)))
}

const send = async (url, body, headers) => {
  const sent = { "content-type": "application/json", ...headers }
  const response = await fetch(url, { method: "POST", headers: sent, body: JSON.stringify(body) })
  return { status: response.status, body: await response.json().catch(() => undefined) }
}
const ask = (path, body, bearer = key) => send(api + path, body, { authorization: "Bearer " + bearer })
const pay = (idempotency_key, payment_method_id) =>
  ask("/v1/payment_intents", { ...order, payment_method_id, capture: true, idempotency_key })

const first = randomUUID()
const paid = await pay(first, "tok_visa")
check("a purchase is captured", paid.body?.state === "captured" && paid.body?.captured_amount === order.amount, paid)
const again = await pay(first, "tok_visa")
check("a retry with the same key pays once", paid.body?.id !== undefined && again.body?.id === paid.body.id, again)
const declined = await pay(randomUUID(), "tok_insufficient_funds")
check("a card without funds takes nothing", declined.status === 402 && declined.body?.details?.state === "failed", declined)
const refunded = await ask("/v1/payment_intents/" + paid.body?.id + "/refund", { idempotency_key: randomUUID() })
check("a refund gives all of it back", refunded.body?.refunded_amount === order.amount, refunded)
const held = await ask("/v1/payment_intents", { ...order, payment_method_id: "tok_visa", idempotency_key: randomUUID() })
const voided = await ask("/v1/payment_intents/" + held.body?.id + "/void", { idempotency_key: randomUUID() })
check("a hold that is voided takes nothing", voided.body?.state === "cancelled" && voided.body?.captured_amount === 0, voided)
const stranger = await ask("/v1/payment_intents", { ...order, idempotency_key: randomUUID() }, "sk_test_nobody")
check("a key of nobody is refused", stranger.status === 401, stranger)

const endpoint = process.env.AGENT_ENDPOINT
if (endpoint) {
  const token = need("AGENT_TOKEN")
  const budget = Number(need("AGENT_BUDGET_CENTS"))
  const buy = (amount, idempotency_key, bearer = token) => {
    const headers = { authorization: "Bearer " + bearer, "idempotency-key": idempotency_key }
    return send(endpoint, { ...order, amount, payment_method_id: "tok_visa" }, headers)
  }
  const unknown = await buy(1, randomUUID(), "nobody")
  check("the endpoint refuses a stranger", unknown.status === 401, unknown)
  const over = await buy(budget + 1, randomUUID())
  check("the endpoint refuses what is over the budget", over.status === 403 && over.body?.error?.code === "budget_exceeded", over)
  const once = randomUUID()
  const [one, other] = [await buy(1, once), await buy(1, once)]
  check("the endpoint pays a retry once", one.body?.state === "captured" && other.body?.id === one.body.id, [one, other])
  const reused = await buy(2, once)
  check("the endpoint refuses a key of another order", reused.status === 409, reused)
}

console.log("1.." + number)
process.exitCode = failed === 0 ? 0 : 1`

const TEST_MONEY: Order = { amount: 100, currency: "USD" }

/** What is bought: a thing that the project sells, within the budget. */
export const sandboxTest = (project: Project, { budget_per_run_cents = Number.MAX_SAFE_INTEGER }: Guard): EngineerArtifact => {
  const found = commerceOf(project).items.flatMap((item) => {
    const price = minorUnits(item)
    return price === undefined || price.amount === 0 || price.amount > budget_per_run_cents ? [] : [{ item, price }]
  })[0]
  const head: Block = found === undefined
    ? absence(`No thing with a price in minor units within the budget, so ${TEST_MONEY.amount} cents of test money.`, project.searched())
    : claim(`Buys ${code(found.item.subject)}`, found.item)
  return {
    path: "agent-endpoint/sandbox-test.mjs",
    artifact: codeFile([...comments("//", [head]), ...script(found?.price ?? TEST_MONEY).split("\n").map((text) => ({ text }))])
  }
}
