/** What requests may hold, for Fastify's validator. */
const key = { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e](?:[\\x20-\\x7e]{0,253}[\\x21-\\x7e])?$" }
const currency = { type: "string", pattern: "^[A-Z]{3}$" }

export const createBody = {
  type: "object",
  additionalProperties: false,
  required: ["amount", "currency", "idempotency_key"],
  properties: {
    amount: { type: "integer", minimum: 1, maximum: 99_999_999 },
    currency,
    idempotency_key: key,
    destination_currency: { ...currency, nullable: true },
    metadata: {
      type: "object",
      maxProperties: 50,
      propertyNames: { maxLength: 40 },
      additionalProperties: { type: "string", maxLength: 500 }
    },
    customer_id: { type: "string", minLength: 1, maxLength: 255, nullable: true },
    country: { type: "string", pattern: "^[A-Z]{2}$", nullable: true }
  }
} as const

export interface CreateBody {
  readonly amount: number
  readonly currency: string
  readonly idempotency_key: string
  readonly destination_currency?: string | null
  readonly metadata?: Record<string, string>
  readonly customer_id?: string | null
  readonly country?: string | null
}

export const authorizeBody = {
  type: "object",
  additionalProperties: false,
  required: ["idempotency_key", "payment_method_id"],
  properties: { idempotency_key: key, payment_method_id: { type: "string", minLength: 1, maxLength: 255 } }
} as const

export interface AuthorizeBody {
  readonly idempotency_key: string
  readonly payment_method_id: string
}

export const captureBody = {
  type: "object",
  additionalProperties: false,
  required: ["idempotency_key"],
  properties: { idempotency_key: key, amount: { type: "integer", minimum: 1 } }
} as const

export interface CaptureBody {
  readonly idempotency_key: string
  readonly amount?: number
}
