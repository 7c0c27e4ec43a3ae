/**
 * The hash chain of one merchant's ledger. `event_hash` is the SHA-256 of the RFC 8785 JSON of
 * sixteen public fields, int64 values as decimal strings, so that anyone can recompute it from the API.
 */
import { canonicalize } from "@svc/kernel/values/canonical-json"
import { hash } from "node:crypto"

/** `previous_hash` of the first event of a chain. */
export const GENESIS_HASH = "0".repeat(64)
export const HASH_VERSION = 1

/** The hashed fields of a financial event. */
export interface ChainedEvent {
  readonly id: string
  readonly merchant_id: string
  readonly sequence_id: number
  readonly event_type: string
  readonly direction: string
  readonly amount: number
  readonly currency: string
  readonly delta_available: number
  readonly delta_pending: number
  readonly delta_reserved: number
  readonly idempotency_key: string
  readonly resource_type: string
  readonly resource_id: string
  readonly previous_hash: string
  /** ISO 8601 UTC with milliseconds. */
  readonly created_at: string
}

/** The text as RFC 8785 spells it, member by member: a generic walk costs three times the hash itself. */
const spell = (event: ChainedEvent): string =>
  `{"amount":"${event.amount}","created_at":"${event.created_at}","currency":"${event.currency}",` +
  `"delta_available":"${event.delta_available}","delta_pending":"${event.delta_pending}","delta_reserved":"${event.delta_reserved}",` +
  `"direction":"${event.direction}","event_type":"${event.event_type}","hash_version":${HASH_VERSION},"id":"${event.id}",` +
  `"idempotency_key":"${event.idempotency_key}","merchant_id":"${event.merchant_id}","previous_hash":"${event.previous_hash}",` +
  `"resource_id":"${event.resource_id}","resource_type":"${event.resource_type}","sequence_id":"${event.sequence_id}"}`

// Printable ASCII except the two characters JSON escapes: such text is its own JSON.
const plain = /^[ !#-[\]-~]*$/
const isPlain = (event: ChainedEvent): boolean =>
  plain.test(event.created_at) && plain.test(event.currency) && plain.test(event.direction) && plain.test(event.event_type) &&
  plain.test(event.id) && plain.test(event.idempotency_key) && plain.test(event.merchant_id) && plain.test(event.previous_hash) &&
  plain.test(event.resource_id) && plain.test(event.resource_type)

/** The exact text that is hashed. */
export const hashInput = (event: ChainedEvent): string =>
  isPlain(event) ? spell(event) : canonicalize({
    amount: String(event.amount),
    created_at: event.created_at,
    currency: event.currency,
    delta_available: String(event.delta_available),
    delta_pending: String(event.delta_pending),
    delta_reserved: String(event.delta_reserved),
    direction: event.direction,
    event_type: event.event_type,
    hash_version: HASH_VERSION,
    id: event.id,
    idempotency_key: event.idempotency_key,
    merchant_id: event.merchant_id,
    previous_hash: event.previous_hash,
    resource_id: event.resource_id,
    resource_type: event.resource_type,
    sequence_id: String(event.sequence_id)
  })

export const eventHash = (event: ChainedEvent): string => hash("sha256", hashInput(event), "hex")
