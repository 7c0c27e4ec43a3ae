/**
 * The built-in provider of sandbox accounts. Each answer is a function of the request and of the account's time, so that every process
 * gives the same answer, before and after a restart. The simulator records its operations in its own books (`simulator-books.ts`), and
 * never reads them.
 *
 * The token decides the answer (`instruments.ts`). The metadata of the payment overrides the token:
 *
 * | key | value | effect |
 * |---|---|---|
 * | `sim.unreachable` | rail names, comma separated | these rails cannot be reached |
 * | `sim.decline` | a decline code | declined with this code; an unknown code counts as `generic_decline` |
 * | `sim.outcome` | `timeout` | no answer, and the provider never received the call |
 * | | `late_success` | no answer, approved two seconds after the attempt |
 * | | `late_decline` | no answer, declined two seconds after the attempt |
 * | | `amount_mismatch` | no answer, approved for another amount two seconds after the attempt |
 * | `sim.settlement` | `fail`, `fail_once` | each attempt of the settlement fails, or only the first |
 * | `sim.statement` | see `simulator-books.ts` | the simulator's books differ from the merchant's |
 */
import { Reference } from "@svc/kernel/values/reference"
import { now } from "@svc/kernel/values/time"
import { Effect, Layer, Stream } from "effect"
import { createHash } from "node:crypto"
import { findInstrument } from "./instruments.ts"
import type { MethodType, TestAnswer } from "./instruments.ts"
import { declineCodes, RailOutcomeUnknown, RailUnreachable } from "./model.ts"
import type { DeclineCode, RailAnswer, RailKnowledge, RailName, RailRequest } from "./model.ts"
import { Rails } from "./rail.ts"
import type { Rail, RailConfirmation, RailFollowUp, RailSettlement } from "./rail.ts"
import { covers, recordBy } from "./simulator-books.ts"
import { RailBooks } from "./statement.ts"

/** Milliseconds after the attempt until the outcome of a late answer is known. */
export const LATE_MS = 2_000

/** The seconds for which an authorization holds. */
const HOLD_SECONDS = 7 * 24 * 3600

/** The address of the simulator's pages for customers, without a slash at the end; empty for the host of the API itself. */
export class SimulatorUrl extends Reference<string>("@svc/payments/SimulatorUrl", { defaultValue: () => "" }) {}

/** The simulator's reference for a call with this key. */
export const referenceOf = (key: string): string => `sim_${createHash("sha256").update(key, "utf8").digest("hex").slice(0, 24)}`

/** The outcome of a request: the immediate answer, and the final outcome. */
export interface SimulatedOutcome {
  readonly at_once: RailAnswer | { readonly _tag: "Silent" } | { readonly _tag: "Unreachable" }
  /** The answer of a lookup once the outcome is final. */
  readonly in_the_end: RailAnswer | { readonly _tag: "Unknown" }
}

const unknown = { _tag: "Unknown" } as const
const silent = { _tag: "Silent" } as const

const settled = (answer: RailAnswer): SimulatedOutcome => ({ at_once: answer, in_the_end: answer })
const declined = (code: DeclineCode): RailAnswer => ({ _tag: "Declined", code })

/** The approval of a request, for another amount when one is given. */
export const approval = (request: RailRequest, amount = request.amount): RailAnswer => ({
  _tag: "Approved",
  reference: referenceOf(request.key),
  amount,
  captured: request.capture
})

const codes: ReadonlySet<string> = new Set(declineCodes)
const isDeclineCode = (text: string): text is DeclineCode => codes.has(text)

const outcomes: Readonly<Record<string, (request: RailRequest) => SimulatedOutcome["in_the_end"]>> = {
  timeout: () => unknown,
  late_success: (request) => approval(request),
  late_decline: () => declined("generic_decline"),
  amount_mismatch: (request) => approval(request, request.amount === 1 ? 2 : request.amount - 1)
}

const byToken = (answer: TestAnswer, request: RailRequest, actions: string): SimulatedOutcome => {
  switch (answer) {
    case "approve":
    case "block": // reached only when a reviewer cleared it
      return settled(approval(request))
    case "accept":
      return { at_once: { _tag: "Accepted", reference: referenceOf(request.key) }, in_the_end: approval(request) }
    case "require_action":
      return settled({ _tag: "RequiresAction", reference: referenceOf(request.key), url: `${actions}/${encodeURIComponent(request.key)}` })
    default:
      return settled(declined(answer))
  }
}

/**
 * Decides on a request, in the order of a real provider: the provider is reachable, accepts the instrument and the currency, and finds no
 * fraud. Then the metadata decides, and then the token. `actions` is the address of the page where a customer confirms; the key of the
 * request is appended.
 */
export const verdict = (rail: Pick<Rail, "name" | "currencies">, request: RailRequest, actions: string): SimulatedOutcome => {
  const { metadata } = request
  if ((metadata["sim.unreachable"] ?? "").split(",").some((name) => name.trim() === rail.name)) {
    return { at_once: { _tag: "Unreachable" }, in_the_end: unknown }
  }
  const answer = findInstrument(request.token)?.answers[rail.name]
  if (answer === undefined) return settled(declined("card_not_supported"))
  if (rail.currencies.length > 0 && !rail.currencies.includes(request.currency)) return settled(declined("currency_not_supported"))
  if (answer === "block" && !request.risk_cleared) return settled({ _tag: "Blocked" })
  const code = metadata["sim.decline"]
  if (code !== undefined) return settled(declined(isDeclineCode(code) ? code : "generic_decline"))
  const outcome = metadata["sim.outcome"] ?? ""
  if (Object.hasOwn(outcomes, outcome)) return { at_once: silent, in_the_end: outcomes[outcome]?.(request) ?? unknown }
  return byToken(answer, request, actions)
}

/** The provider's answer to a lookup of a request at `now`, Unix milliseconds. */
export const knowledge = ({ at_once, in_the_end }: SimulatedOutcome, request: RailRequest, now: number): RailKnowledge => {
  switch (at_once._tag) {
    case "Unreachable":
      return unknown
    case "Silent":
    case "Accepted":
      return now < request.attempted_at + LATE_MS ? { _tag: "Undecided" } : in_the_end
    default:
      return at_once
  }
}

/** The outcome of the request after the customer's answer to a `RequiresAction`. */
export const afterAction = (request: RailRequest, passed: boolean): RailAnswer =>
  passed ? approval(request) : declined("authentication_required")

const confirm = (call: RailFollowUp): Effect.Effect<RailConfirmation> => Effect.succeed({ _tag: "Done", reference: referenceOf(call.key) })

/** Decides whether the money of a settlement arrives. */
const settle = ({ attempt, metadata, reference }: RailSettlement): Effect.Effect<RailConfirmation> => {
  const outcome = metadata["sim.settlement"]
  return Effect.succeed(
    outcome === "fail" || (outcome === "fail_once" && attempt === 1)
      ? { _tag: "Refused", reason: "sim.settlement" }
      : { _tag: "Done", reference }
  )
}

const makeRail = (name: RailName, method: MethodType, currencies: ReadonlyArray<string>): Rail => {
  const decide = (request: RailRequest) => Effect.map(SimulatorUrl, (url) => verdict({ name, currencies }, request, `${url}/sim/actions`))
  return {
    name,
    currencies,
    methods: [method],
    inline: true,
    holdSeconds: HOLD_SECONDS,
    authorize: (request) =>
      Effect.flatMap(decide(request), ({ at_once }): Effect.Effect<RailAnswer, RailUnreachable | RailOutcomeUnknown> => {
        switch (at_once._tag) {
          case "Unreachable":
            return Effect.fail(new RailUnreachable({ rail: name, message: "sim.unreachable names this rail" }))
          case "Silent":
            return Effect.fail(new RailOutcomeUnknown({ rail: name, message: "sim.outcome withholds the answer" }))
          default:
            return Effect.succeed(at_once)
        }
      }),
    capture: confirm,
    refund: confirm,
    void: confirm,
    settle,
    lookup: (request) =>
      Effect.flatMap(decide(request), (found) => Effect.map(now, ({ epochMilliseconds }) => knowledge(found, request, epochMilliseconds))),
    lookupFollowUp: confirm,
    statement: { covers, lines: (period) => Stream.unwrap(Effect.map(RailBooks, ({ lines }) => lines(name, period))) },
    record: recordBy(name, { verdict: (request) => verdict({ name, currencies }, request, ""), referenceOf, late: LATE_MS })
  }
}

/** The rails of the simulator, in order of preference. The rail `usdc` accepts only USD. */
export const simulatorRails: ReadonlyArray<Rail> = [
  makeRail("card_a", "card", []),
  makeRail("card_b", "card", []),
  makeRail("bank_transfer", "bank_account", ["EUR", "GBP", "USD"]),
  makeRail("usdc", "usdc_wallet", ["USD"])
]

/** All rails of the built-in simulator. */
export const simulatedRails: Layer.Layer<Rails> = Layer.succeed(Rails, Rails.these(simulatorRails))
