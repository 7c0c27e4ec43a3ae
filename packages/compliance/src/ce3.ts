/**
 * Visa Compelling Evidence 3.0 (dispute condition 10.4, since 15 April 2023): earlier purchases with the same marks show that the
 * cardholder is known here. Two readings stand side by side: `eligible` is this service's rule (any two of five marks, counted from the
 * disputed transaction), `network_check` Visa's (two of four, one of them the address or the device, counted from the dispute).
 */
import { may, text, whole } from "@svc/tool-kit/fields"
import { Result, Schema } from "effect"
import { ipFromString } from "effect/net/NetAddress"
import { CurrencyCode, millisOf, Moment } from "./input.ts"

/** The marks that two transactions may share. */
export const elements = ["device_id", "ip_address", "email", "shipping_address", "login_id"] as const
export const Element = Schema.Literals(elements)
export type Element = typeof Element.Type

const mark = may(text(300))

/** A transaction as the merchant keeps it. */
export const Transaction = Schema.Struct({
  id: text(100),
  /** Minor units of its currency. */
  amount_minor: whole(0, 1e12),
  currency: CurrencyCode,
  created_at: Moment,
  /** Disputed, or reported as fraud. */
  disputed: Schema.optionalKey(Schema.Boolean),
  device_id: mark,
  ip_address: mark,
  email: mark,
  shipping_address: mark,
  login_id: mark,
  /** What was bought; the network wants it of each transaction. */
  description: mark
}).annotate({ identifier: "Txn" })
export type Transaction = typeof Transaction.Type

export const Dispute = Schema.Struct({
  txn: Transaction,
  reason_code: text(20),
  /** When the dispute was opened: Visa counts from there. */
  disputed_at: Schema.optionalKey(Moment)
})
export type Dispute = typeof Dispute.Type

export const MOST_PRIORS = 500
const MIN_SHARED = 2
const PRIORS_NEEDED = 2
const WINDOW = { from: 120, to: 365 } as const

/** Visa wants a device to be told apart from others of its make. */
const MIN_DEVICE_CHARS = 15
/** Email counts for Visa only where it is the login, and then stands there. */
const coreElements: ReadonlyArray<Element> = ["device_id", "ip_address", "shipping_address", "login_id"]

const DAY_MS = 86_400_000

/** Days between the calendar days in UTC, as networks count them: a time of day makes no difference. NaN for what is no moment. */
const daysBetween = (earlier: string, later: string): number =>
  Math.floor((millisOf(later) ?? Number.NaN) / DAY_MS) - Math.floor((millisOf(earlier) ?? Number.NaN) / DAY_MS)

const isInWindow = (days: number): boolean => days >= WINDOW.from && days <= WINDOW.to

const folded = (value: string): string => value.normalize("NFKC").trim().replace(/[\s,]+/gu, " ").toLowerCase()

/** How each mark is compared: addresses by what they mean, people's writing without capitals and spacing, ids to the letter. */
const normal: Readonly<Record<Element, (value: string) => string>> = {
  device_id: (value) => value.trim(),
  login_id: (value) => value.trim(),
  email: folded,
  shipping_address: folded,
  ip_address: (value) => Result.match(ipFromString(value.trim()), { onSuccess: String, onFailure: () => folded(value) })
}

const shares = (a: Transaction, b: Transaction) => (element: Element): boolean => {
  const one = a[element]
  const other = b[element]
  return one !== undefined && other !== undefined && normal[element](one) === normal[element](other) && normal[element](one) !== ""
}

/** A transaction of the history, with what it shares with the disputed one. */
export const Prior = Schema.Struct({ txn_id: Schema.String, matched_elements: Schema.Array(Element), age_days: Schema.Int })
export type Prior = typeof Prior.Type

/** Of two that are named alike only the first counts, and the disputed one is no evidence for itself. */
const candidates = ({ txn }: Dispute, history: ReadonlyArray<Transaction>): ReadonlyArray<Transaction> => {
  const seen = new Set([txn.id])
  return history.filter((prior) => !seen.has(prior.id) && seen.add(prior.id) !== undefined)
}

const priorOf = ({ txn }: Dispute) => (prior: Transaction): Prior => ({
  txn_id: prior.id,
  matched_elements: elements.filter(shares(txn, prior)),
  age_days: daysBetween(prior.created_at, txn.created_at)
})

const byStrength = (a: Prior, b: Prior): number =>
  b.matched_elements.length - a.matched_elements.length || a.age_days - b.age_days || (a.txn_id < b.txn_id ? -1 : 1)

const union = (priors: ReadonlyArray<Prior>): ReadonlyArray<Element> =>
  elements.filter((one) => priors.some(({ matched_elements }) => matched_elements.includes(one)))

export const NetworkCheck = Schema.Struct({
  /** Core elements that any prior in Visa's window shares with the disputed transaction. */
  core_elements_union: Schema.Array(Element),
  ip_or_device_matched: Schema.Boolean,
  /** The core elements equal in the disputed transaction and both of the best two priors. */
  same_elements_across_all: Schema.Array(Element),
  /** Whether two priors with two core elements lie 120 to 365 days before the dispute; null when `disputed_at` was not given. */
  window_from_dispute_date: Schema.NullOr(Schema.Boolean),
  prior_txn_ids: Schema.Array(Schema.String),
  /** Null when it depends on `disputed_at`, which was not given; false where no day of a dispute would meet it. */
  meets_visa_core_rule: Schema.NullOr(Schema.Boolean)
})
export type NetworkCheck = typeof NetworkCheck.Type

const hasIpOrDevice = (shared: ReadonlyArray<Element>): boolean => shared.includes("ip_address") || shared.includes("device_id")

const countsForVisa = ({ txn }: Dispute) => (element: Element): boolean =>
  coreElements.includes(element) && (element !== "device_id" || (txn.device_id ?? "").trim().length >= MIN_DEVICE_CHARS)

/** The pair that shares most; of pairs that share as much, one with the address or the device. */
const bestPair = (priors: ReadonlyArray<Prior>): { readonly shared: ReadonlyArray<Element>; readonly ids: ReadonlyArray<string> } => {
  // At most two of those that share the same elements can matter, so 16 groups make at most 32 priors.
  const groups = new Map<string, Array<Prior>>()
  for (const prior of priors) {
    const group = groups.get(prior.matched_elements.join()) ?? []
    if (group.length < PRIORS_NEEDED) groups.set(prior.matched_elements.join(), [...group, prior])
  }
  const kept = [...groups.values()].flat()
  let best: { readonly shared: ReadonlyArray<Element>; readonly ids: ReadonlyArray<string> } = { shared: [], ids: [] }
  const worth = (shared: ReadonlyArray<Element>) => (shared.length >= MIN_SHARED && hasIpOrDevice(shared) ? 10 : 0) + shared.length
  for (const [at, one] of kept.entries()) {
    for (const other of kept.slice(at + 1)) {
      const shared = one.matched_elements.filter((element) => other.matched_elements.includes(element))
      if (worth(shared) > worth(best.shared)) best = { shared, ids: [one.txn_id, other.txn_id] }
    }
  }
  return best
}

/** Whether a day not before the transaction, as that of the dispute, puts two priors that share enough into Visa's window. */
const mayMeetVisa = (dispute: Dispute, undisputed: ReadonlyArray<Transaction>): boolean => {
  const priors = undisputed.map(priorOf(dispute)).filter(({ age_days }) => age_days <= WINDOW.to)
  const core = priors.map(({ age_days, matched_elements }) => ({ age_days, shared: matched_elements.filter(countsForVisa(dispute)) }))
    .filter(({ shared }) => shared.length >= MIN_SHARED)
  return core.some((one, at) =>
    core.some((other, index) => {
      if (index >= at || Math.abs(one.age_days - other.age_days) > WINDOW.to - WINDOW.from) return false
      const shared = one.shared.filter((element) => other.shared.includes(element))
      return shared.length >= MIN_SHARED && hasIpOrDevice(shared)
    })
  )
}

const networkCheck = (dispute: Dispute, history: ReadonlyArray<Transaction>): NetworkCheck => {
  const { disputed_at, reason_code } = dispute
  const undisputed = history.filter(({ disputed }) => disputed !== true)
  const inWindow = undisputed.filter((prior) => isInWindow(daysBetween(prior.created_at, disputed_at ?? dispute.txn.created_at)))
  const core = inWindow.map(priorOf(dispute)).map((prior) => ({
    ...prior,
    matched_elements: prior.matched_elements.filter(countsForVisa(dispute))
  }))
  const { ids, shared } = bestPair(core.sort(byStrength))
  return {
    core_elements_union: union(core),
    ip_or_device_matched: hasIpOrDevice(shared),
    same_elements_across_all: shared,
    window_from_dispute_date: disputed_at === undefined
      ? null
      : core.filter(({ matched_elements }) => matched_elements.length >= MIN_SHARED).length >= PRIORS_NEEDED,
    prior_txn_ids: ids,
    meets_visa_core_rule: reason_code !== REASON_CODE
      ? false
      : disputed_at === undefined
      ? mayMeetVisa(dispute, undisputed) ? null : false
      : shared.length >= MIN_SHARED && hasIpOrDevice(shared)
  }
}

export const REASON_CODE = "10.4"

export const EvidencePacket = Schema.Struct({
  reason_code: Schema.String,
  disputed_transaction: Transaction,
  /** The two that share most, as they were given. */
  prior_transactions: Schema.Array(Transaction),
  elements_shared_by_all: Schema.Array(Element),
  /** What the network asks for besides, and was not given. */
  missing: Schema.Array(Schema.String)
})

export const Ce3 = Schema.Struct({
  eligible: Schema.Boolean,
  /** Most matches first. */
  qualifying_priors: Schema.Array(Prior),
  matched_element_union: Schema.Array(Element),
  rejection_reason: Schema.optionalKey(Schema.Literals(["reason_code_not_10_4", "fewer_than_two_qualifying_priors"])),
  /** Why transactions of the history do not qualify: each is counted once, under the first reason. */
  not_qualifying: Schema.Struct({ disputed: Schema.Int, outside_window: Schema.Int, too_few_matches: Schema.Int, repeated: Schema.Int }),
  evidence_packet: EvidencePacket,
  network_check: NetworkCheck,
  caveat: Schema.String
})
export type Ce3 = typeof Ce3.Type

const packetOf = (
  { reason_code, txn }: Dispute,
  history: ReadonlyArray<Transaction>,
  qualifying: ReadonlyArray<Prior>
): typeof EvidencePacket.Type => {
  const best = qualifying.slice(0, PRIORS_NEEDED)
  const evidence = best.flatMap(({ txn_id }) => history.filter(({ id }) => id === txn_id).slice(0, 1))
  return {
    reason_code,
    disputed_transaction: txn,
    prior_transactions: evidence,
    elements_shared_by_all: best.length < PRIORS_NEEDED
      ? []
      : elements.filter((one) => best.every(({ matched_elements }) => matched_elements.includes(one))),
    missing: [txn, ...evidence].filter(({ description }) => description === undefined).map(({ id }) =>
      `description of ${id}: the network wants to know what was bought`
    )
  }
}

const caveatOf = (eligible: boolean, { meets_visa_core_rule }: NetworkCheck): string => {
  const difference = meets_visa_core_rule === null
    ? "Give disputed_at to have Visa's own window checked: it counts from the dispute."
    : meets_visa_core_rule === eligible
    ? "Visa's own rule comes to the same."
    : "Visa's own rule comes to another answer: it wants two of device (15 characters or more), IP address, login and shipping address, equal in all three transactions, one of them device or IP address, 120 to 365 days before the dispute."
  return `Not a prediction, and the network decides. All transactions must be of the same payment credential, which is not checked here. ${difference}`
}

/** What the history is worth as evidence. */
export const assembleCe3 = (dispute: Dispute, given: ReadonlyArray<Transaction>): Ce3 => {
  const history = candidates(dispute, given)
  const undisputed = history.filter(({ disputed }) => disputed !== true)
  const inWindow = undisputed.map(priorOf(dispute)).filter(({ age_days }) => isInWindow(age_days))
  const qualifying = inWindow.filter(({ matched_elements }) => matched_elements.length >= MIN_SHARED).sort(byStrength)
  const rightCode = dispute.reason_code === REASON_CODE
  const eligible = rightCode && qualifying.length >= PRIORS_NEEDED
  const network_check = networkCheck(dispute, history)
  return {
    eligible,
    qualifying_priors: qualifying,
    matched_element_union: union(qualifying),
    ...(eligible ? {} : { rejection_reason: rightCode ? "fewer_than_two_qualifying_priors" : "reason_code_not_10_4" }),
    not_qualifying: {
      disputed: history.length - undisputed.length,
      outside_window: undisputed.length - inWindow.length,
      too_few_matches: inWindow.length - qualifying.length,
      repeated: given.length - history.length
    },
    evidence_packet: packetOf(dispute, history, qualifying),
    network_check,
    caveat: caveatOf(eligible, network_check)
  }
}
