/** One example for each body, made from its schema, so that an example cannot fall behind what it shows. */
import { CURRENT_API_VERSION } from "@svc/kernel/api-version"
import { errorCodes } from "@svc/kernel/errors"
import { Predicate } from "effect"
import type { Components, JsonSchema } from "./document.ts"
import { mapValues, schemaName } from "./document.ts"

type Schemas = Components["schemas"]

const ULID = "01KDVK5D80000000000000000A"
const ACCOUNT = `acct_${ULID}`
const PAYMENT = `pi_${ULID}`
const AT = "2026-01-01T12:00:00.000Z"

/** Texts and numbers that a schema alone would leave meaningless, by the name of the field. */
const byField: Readonly<Record<string, unknown>> = {
  account_id: ACCOUNT,
  merchant_id: ACCOUNT,
  resource_id: PAYMENT,
  resource_type: "payment_intent",
  amount: 1999,
  currency: "USD",
  idempotency_key: "3c9ae5ea-980f-4ebd-a027-04529942b95e",
  api_version: CURRENT_API_VERSION,
  name: "Acme",
  prefix: "sk_test_4f9Q",
  secret: "shown once",
  url: "https://example.com/webhooks",
  operation: "payment_intent.create",
  version: 1,
  page: 1,
  per_page: 20,
  total: 1,
  has_more: false,
  capabilities: ["charges", "payouts"],
  restrictions: [],
  uptime: "PT42S",
  brand: "visa",
  last4: "4242",
  exp_month: 12,
  exp_year: 2034,
  hash_version: 1,
  rule: "fallback order",
  score: 100,
  fingerprint: "fp_0f1e2d3c4b5a69788796a5b4",
  metadata: { order: "6735" }
}

/** What makes an example hang together, laid over the one from the schema. */
const overrides: Readonly<Record<string, JsonSchema>> = {
  PaymentIntent: {
    state: "authorized",
    payment_method_id: "tok_visa",
    provider_reference: "sim_card_a_1",
    selected_rail: "card_a",
    authorized_amount: 1999,
    capture_before: "2026-01-08T12:00:00.000Z",
    refunds: [],
    version: 2
  },
  PaymentAttempt: { id: `att_${ULID}`, amount: 1999, outcome: "approved", provider_reference: "sim_card_a_1", finished_at: AT },
  APIVersion: { version: CURRENT_API_VERSION, released_at: `${CURRENT_API_VERSION}T00:00:00.000Z` },
  ErrorCodeList: { data: [errorCodes.not_found] },
  StateMachineList: {
    data: [{ name: "payment_method", states: ["active", "revoked"], terminal: ["revoked"], transitions: [{ from: "active", trigger: "revoke", to: "revoked" }] }]
  },
  AccountSettings: { fee_bps: 290, fee_fixed: 30, blocked_countries: [], routing: [] },
  PaymentRouting: { selected_rail: "card_a" },
  FinancialEvent: {
    sequence_id: 2,
    event_type: "payment_captured",
    direction: "credit",
    delta_available: 0,
    delta_pending: 1999,
    delta_reserved: 0,
    counter_account: "P.rail_clearing",
    counter_delta: -1999
  },
  BalanceAccount: { available: 0, pending: 1911, reserved: 0 },
  LedgerVerification: { last_sequence_id: 4, checked: 4 },
  WebhookEvent: { status: "delivered", attempts: 1, last_outcome: "delivered", delivered_at: AT },
  WebhookAttempt: { number: 1, outcome: "delivered", response_status: 200, duration_ms: 38 },
  WebhookEndpointIssued: { secret: "whsec_shown once" },
  ApiKeyIssued: { secret: "sk_test_shown once", scopes: [] },
  ApiKey: { scopes: [] },
  IdempotencyRecord: { status: "done" },
  AccountCreated: { status: "active", sandbox: true },
  Account: { status: "active", sandbox: true },
  PaymentMethod: { customer_id: "customer-1" }
}

const text = (schema: JsonSchema): string => {
  if (schema["format"] === "date-time") return AT
  const pattern = typeof schema["pattern"] === "string" ? schema["pattern"] : ""
  const prefix = /^\^([a-z]+_)\[0-9A-HJKMNP-TV-Z\]\{26\}\$$/.exec(pattern)?.[1]
  if (prefix !== undefined) return prefix + ULID
  return pattern.includes("[0-9a-f]{64}") ? "0".repeat(64) : "text"
}

const integer = (schema: JsonSchema): number => {
  const least = schema["minimum"]
  return typeof least === "number" && least > 0 ? least : schema["exclusiveMinimum"] === 0 ? 1 : 0
}

const isSchema = (value: unknown): value is JsonSchema => Predicate.isObject(value)
const list = (value: unknown): ReadonlyArray<unknown> => Array.isArray(value) ? value : []

/** An example of a schema; `field` is the name of the property it stands in. */
export const exampleOf = (schema: JsonSchema, schemas: Schemas, field?: string): unknown => {
  const name = schemaName(schema)
  if (name !== undefined) {
    const made = exampleOf(schemas[name] ?? {}, schemas, field)
    return Predicate.isObject(made) ? { ...made, ...overrides[name] } : made
  }
  const [written] = list(schema["examples"])
  if (written !== undefined) return written
  const nullable = list(schema["anyOf"])
  if (nullable.some((one) => isSchema(one) && one["type"] === "null")) return field === "brand" || field === "last4" || field === "exp_month" || field === "exp_year" ? byField[field] : null
  if (field !== undefined && Object.hasOwn(byField, field) && schema["enum"] === undefined) return byField[field]
  return structure(schema, schemas)
}

const structure = (schema: JsonSchema, schemas: Schemas): unknown => {
  const [first] = list(schema["enum"])
  if (first !== undefined) return first
  switch (schema["type"]) {
    case "object":
      return mapValues(isSchema(schema["properties"]) ? schema["properties"] : {}, (property, key) => isSchema(property) ? exampleOf(property, schemas, key) : null)
    case "array":
      return isSchema(schema["items"]) ? [exampleOf(schema["items"], schemas)] : []
    case "integer":
    case "number":
      return integer(schema)
    case "boolean":
      return true
    case "string":
      return text(schema)
    default:
      return {}
  }
}
