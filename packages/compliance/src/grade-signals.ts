/** What the eight checks of a grade look for in source code. Each sign is one pattern, tried on one line, without unbounded repetition. */

export interface Sign {
  readonly id: string
  readonly pattern: RegExp
}

export interface Check {
  readonly id: string
  readonly title: string
  /** Points of 100. */
  readonly weight: number
  readonly signs: ReadonlyArray<Sign>
  /** What to do when it does not pass. */
  readonly fix: string
}

const sign = (id: string, pattern: RegExp): Sign => ({ id, pattern })

export const checks: ReadonlyArray<Check> = [
  {
    id: "sca_readiness",
    title: "Strong customer authentication",
    weight: 18,
    signs: [
      sign("three_d_secure", /\b3-?d[ _-]?s(?:ecure|2)?\b|three_?d_?s(?:ecure)?/iu),
      sign("authentication_step", /requires_action|authentication_required|strong_?customer_?auth|handleNextAction/iu),
      sign("exemption", /sca_?exempt|exemption|transaction_risk_analysis|low_value/iu)
    ],
    fix: "Handle a payment that asks for authentication, and decide which exemption to ask for (sca_exemption_decision)."
  },
  {
    id: "ap2_mandate_validity",
    title: "AP2 mandates are validated",
    weight: 16,
    signs: [
      sign("mandate_type", /(?:Intent|Cart|Payment|Checkout)Mandate|mandate\.(?:payment|checkout)\b|(?:intent|cart|payment)_mandate/u),
      sign("mandate_signature", /verif\w{0,10}.{0,30}mandate|mandate.{0,30}verif|sd[_-]?jwt|merchant_authorization|user_authorization/iu),
      sign("mandate_hash_or_expiry", /cart_hash|checkout_hash|intent_expiry|cart_expiry|canonicali[sz]e/iu)
    ],
    fix: "Validate mandates, their signature and their expiry before a payment (build_ap2_mandate shows the form)."
  },
  {
    id: "tokenization_posture",
    title: "Cards are tokens",
    weight: 16,
    signs: [
      sign(
        "provider_token",
        /payment_?method_?id|setup_?intent|create_?payment_?method|create_?token\b|hosted_?fields|PaymentElement|CardElement/iu
      ),
      sign("network_token", /network_?token|\bvts\b|\bmdes\b/iu),
      sign("vault", /tokeni[sz]e|\bvault/iu)
    ],
    fix: "Let the provider's fields collect cards, and keep its tokens only."
  },
  {
    id: "dispute_rail_wiring",
    title: "Disputes are answered",
    weight: 14,
    signs: [
      sign("dispute_event", /(?:charge\.)?dispute\.(?:created|updated|closed|funds_withdrawn)/iu),
      sign("dispute_evidence", /submit_?evidence|dispute.{0,30}evidence|representment/iu),
      sign("dispute_deadline", /evidence_due_by|evidence_details|due_by/iu)
    ],
    fix: "Listen to dispute events, gather evidence, and send it before evidence_due_by."
  },
  {
    id: "idempotency_receipt",
    title: "Idempotency and receipts",
    weight: 12,
    signs: [
      sign("idempotency_key", /idempotency[-_]?key/iu),
      sign("receipt", /payment[-_]?receipt|receipt_?(?:id|url|number)|create_?receipt|save_?receipt/iu),
      sign("duplicate_check", /already_?processed|dedup|on conflict do nothing|processed_?events/iu)
    ],
    fix: "Send a fresh idempotency key with each payment, send it again on a retry only, and keep the receipt."
  },
  {
    id: "ce3_readiness",
    title: "Marks for Compelling Evidence 3.0",
    weight: 10,
    signs: [
      sign("device", /device_?(?:id|fingerprint)|fingerprintjs/iu),
      sign("ip_address", /ip_?address|remote_?addr|x-forwarded-for|client_?ip/iu),
      sign("shipping_address", /shipping_?address/iu),
      sign("login", /login_?id|account_?login/iu)
    ],
    fix: "Keep device, IP address, login and shipping address with each purchase for a year."
  },
  {
    id: "refund_cancel_path",
    title: "Refunds and cancellation",
    weight: 8,
    signs: [
      sign("refund", /refunds?\.create|create_?refund|\/refunds?\b|refund_?payment|refund_?order/iu),
      sign("cancel", /cancel_at_period_end|cancel_?(?:subscription|order|payment)|\/cancel\b|\/void\b|void_?payment/iu)
    ],
    fix: "Offer a refund and a cancellation by code, not by mail alone."
  },
  {
    id: "budget_negotiation",
    title: "Budgets of agents",
    weight: 6,
    signs: [
      sign("budget", /spend(?:ing)?_?(?:limit|cap)|budget_?(?:limit|cap|per|cents)|max_?amount/iu),
      sign("negotiation", /x-agent-budget|counter_?offer|get_quote/iu),
      sign("approval", /require_?approval|approval_?threshold/iu)
    ],
    fix: "Give the agent a spending cap, and send X-Agent-Budget so that prices can meet it."
  }
]

/** Card data that is kept: forbidden for the security code (PCI DSS 3.3.1), and a burden for the number (3.5.1). */
export const rawCardStorage: ReadonlyArray<Sign> = [
  sign(
    "card_number_column",
    /\b(?:card_?number|card_?no|primary_account_number|pan)\b["'`\]]?\s{1,20}(?:varchar|char|text|bigint|numeric|string)\b/iu
  ),
  sign(
    "card_number_field",
    /\b(?:card_?number|primary_account_number)\b["']?\s{0,5}[:=]\s{0,5}(?:\{\s{0,5}type\s{0,5}:|models\.\w{1,30}Field|(?:db\.|sa\.)?Column\(|DataTypes\.|varchar\(|text\(|bigint\()/iu
  ),
  sign(
    "security_code_column",
    /\b(?:cvv2?|cvc2?|card_?security_?code)\b["'`\]]?\s{1,20}(?:varchar|char|text|smallint|int|integer|numeric|string)\b/iu
  ),
  sign("card_data_insert", /insert\s{1,20}into\b.{0,200}\b(?:card_?number|cvv2?|cvc2?)\b/iu)
]
