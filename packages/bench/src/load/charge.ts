/** A whole charge as a merchant makes it: create, authorize, capture; or all of it in one request. */
import { randomUUID } from "node:crypto"
import { secretKey } from "../merchants.ts"
import type { Answer } from "./connection.ts"

export type Send = (method: string, path: string, key: string, body: string) => Promise<Answer>

/** An answer with another status than the request should have. */
export class Unexpected extends Error {
  constructor(step: string, answer: Answer) {
    super(`${step} answered ${answer.status}: ${answer.body.slice(0, 300)}`)
  }
}

const ID = /"id":"(pi_[0-9A-Z]+)"/

const metadata = { order_id: "ord-2024-000117", channel: "web", campaign: "autumn-sale", cart_size: "3" }

const createBody = (amount: number, more: object = {}): string =>
  JSON.stringify({ amount, currency: "USD", idempotency_key: randomUUID(), customer_id: "cus_8842", country: "DE", metadata, ...more })

export const create = async (send: Send, merchant: number): Promise<string> => {
  const answer = await send("POST", "/v1/payment_intents", secretKey(merchant), createBody(1999))
  const id = ID.exec(answer.body)?.[1]
  if (answer.status !== 201 || id === undefined) throw new Unexpected("create", answer)
  return id
}

const step = async (send: Send, merchant: number, id: string, verb: string, body: string, state: string): Promise<void> => {
  const answer = await send("POST", `/v1/payment_intents/${id}/${verb}`, secretKey(merchant), body)
  if (answer.status !== 200 || !answer.body.includes(`"state":"${state}"`)) throw new Unexpected(verb, answer)
}

export const authorize = (send: Send, merchant: number, id: string): Promise<void> =>
  step(send, merchant, id, "authorize", `{"idempotency_key":"${randomUUID()}","payment_method_id":"tok_visa"}`, "authorized")

export const capture = (send: Send, merchant: number, id: string): Promise<void> =>
  step(send, merchant, id, "capture", `{"idempotency_key":"${randomUUID()}"}`, "captured")

/** The whole charge in one request. */
export const pay = async (send: Send, merchant: number): Promise<void> => {
  const answer = await send(
    "POST",
    "/v1/payment_intents",
    secretKey(merchant),
    createBody(1999, { payment_method_id: "tok_visa", capture: true })
  )
  if (answer.status !== 201 || !answer.body.includes(`"state":"captured"`)) throw new Unexpected("pay", answer)
}
