/** The payment intent as the peer keeps and shows it. */

/** A row of `payment_intents` with JSON-ready values; the columns the peer neither reads nor changes are left out. */
export interface Intent {
  readonly id: string
  readonly merchant_id: string
  readonly amount: number
  readonly currency: string
  readonly state: string
  readonly idempotency_key: string
  readonly destination_currency: string | null
  readonly failure_reason: string | null
  readonly decline_code: string | null
  readonly metadata: Readonly<Record<string, string>>
  readonly customer_id: string | null
  readonly payment_method_id: string | null
  readonly country: string | null
  readonly provider_reference: string | null
  readonly selected_rail: string | null
  readonly pending_reason: string | null
  readonly next_action: unknown
  readonly authorized_amount: number
  readonly captured_amount: number
  readonly refunded_amount: number
  readonly disputed_amount: number
  readonly fee_amount: number
  readonly capture_before: string | null
  readonly attempts: ReadonlyArray<unknown>
  readonly refunds: ReadonlyArray<unknown>
  readonly created_at: string
  readonly updated_at: string
  readonly version: number
}

/** The columns of an {@link Intent}, in the order of its fields. */
export const INTENT_COLUMNS =
  `id, merchant_id, amount, currency, state, idempotency_key, destination_currency, failure_reason, decline_code,
  metadata, customer_id, payment_method_id, country, provider_reference, selected_rail, pending_reason, next_action, authorized_amount,
  captured_amount, refunded_amount, disputed_amount, fee_amount, capture_before, attempts, refunds, created_at, updated_at, version`

/** What the API answers with, and what webhooks carry. */
export const bodyOf = (intent: Intent): string => JSON.stringify(intent)
