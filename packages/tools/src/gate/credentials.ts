/** Keys in headers. */
import { hash } from "node:crypto"
import type { ToolRequest } from "./model.ts"

/** The token of `Authorization: Bearer …`; undefined for any other scheme. */
export const bearerOf = (authorization: string | undefined): string | undefined => /^bearer +(\S+)$/iu.exec(authorization?.trim() ?? "")?.[1]

/** The key that a request shows. */
export const keyIn = (headers: Readonly<Record<string, string | undefined>>): string | undefined => headers["x-svc-key"]?.trim() || bearerOf(headers["authorization"])

/** What the request pays with stands in for a key that it lacks: sent again, after its answer was lost, it is the same call. */
export const underPaymentsKey = (request: ToolRequest): ToolRequest => {
  const { headers, meta } = request
  if (headers["idempotency-key"] !== undefined) return request
  const payment = [headers["payment-authorization"] ?? headers["authorization"], headers["payment-signature"], headers["x-payment"], meta["org.paymentauth/credential"], meta["x402/payment"], meta["x402.payment"]]
  return { ...request, headers: { ...headers, "idempotency-key": `payment ${hash("sha256", JSON.stringify(payment), "hex")}` } }
}
