/** From a call that may be made to its answer: who pays, the run, and the charge. */
import { Idempotency, keyDone, keyHeld, type Keyed, LEASE_SECONDS, once } from "@svc/kernel/idempotency"
import { parseJson } from "@svc/kernel/json"
import type { CommitRefused } from "@svc/kernel/road/committer"
import type { KeyWrite, StoredReply } from "@svc/kernel/road/decision"
import { realNow } from "@svc/kernel/time"
import { Data, DateTime, Duration, Effect, Schema } from "effect"
import { hash } from "node:crypto"
import type { ToolCaller } from "@svc/accounts/access/model"
import type { Cents } from "../call.ts"
import { type BudgetExceeded, type CreditsExhausted, type PaidBy, ToolCallId } from "../tool-calls/model.ts"
import { Meter, type Charge, type Quoted } from "../tool-calls/service.ts"
import { Referrals } from "../referrals/service.ts"
import type { Takes } from "../tool-calls/rules.ts"
import { after, answered, standingHeaders } from "./answers.ts"
import { type Admitted, run } from "./admitted.ts"
import { underPaymentsKey } from "./credentials.ts"
import { plans } from "../plans.ts"
import type { Answered, Refused, ToolAnswer } from "./model.ts"
import { Paywall, type Why } from "./paywall.ts"
import { refuse } from "./refusals.ts"

/** The tool did not deliver, so there is nothing to charge and nothing to keep under the key. */
class NotDelivered extends Data.TaggedError("NotDelivered")<{ readonly answer: Answered | Refused }> {}

/** The call is refused, on the way to its end. */
class Stopped extends Data.TaggedError("Stopped")<{ readonly refusal: Refused }> {}
const stop = (refusal: Refused) => new Stopped({ refusal })

const Kept = Schema.Struct({ result: Schema.Unknown, isError: Schema.Boolean })
const decodeKept = Schema.decodeUnknownSync(Kept)

/** The longest key that callers may send; what is kept is a hash of it and of the account, so no other account meets it. */
export const LONGEST_KEY = 255

const keyedOf = (key: string | undefined, account: string, { arguments_sha256, call, tool }: Admitted): Keyed | undefined =>
  key === undefined ? undefined : {
    key: `tool_${hash("sha256", `${account}\n${key}`, "hex")}`,
    operation: `tool.${tool.name}`,
    fingerprint: hash("sha256", `${arguments_sha256}\n${call.mode}`, "hex")
  }

const chargeOf = ({ arguments_sha256, call, chain, tool }: Admitted, { account, credential }: ToolCaller, paid_by: PaidBy, quote: Cents): Charge => ({
  draft: {
    id: ToolCallId.make(call.id),
    account_id: account.id,
    agent_key_id: credential.kind === "agent_key" ? credential.id : null,
    tool: tool.name,
    mode: call.mode,
    arguments_sha256,
    paid_by
  },
  chain,
  quote
})

export const makeCharging = Effect.gen(function*() {
  const meter = yield* Meter
  const idempotency = yield* Idempotency
  const paywall = yield* Paywall
  const referrals = yield* Referrals

  const delivered = Effect.fnUntraced(function*(admitted: Admitted, { charge }: Quoted) {
    const outcome = yield* run(admitted)
    if (outcome._tag !== "Done") return yield* new NotDelivered({ answer: answered(outcome) })
    const result = JSON.stringify(outcome.result)
    const reply: StoredReply = { status: 200, body: `{"result":${result},"isError":false}` }
    return { cents: Math.min(outcome.cents, charge.quote), reply, result_sha256: hash("sha256", result, "hex") }
  })

  const resourceOf = ({ call }: Admitted) => ({ type: "tool_call", id: call.id })

  /** Run first: what is refused then was thrown away. */
  const inline = Effect.fnUntraced(function*(admitted: Admitted, quote: Quoted, keyed: Keyed | undefined) {
    const { cents, reply, result_sha256 } = yield* delivered(admitted, quote)
    yield* meter.inline(quote, cents, result_sha256, keyed === undefined ? undefined : keyDone(keyed, resourceOf(admitted), reply))
    return { reply, cents }
  })

  /** Reserve first: what runs outside cannot be taken back. */
  const outside = Effect.fnUntraced(function*(admitted: Admitted, quote: Quoted, keyed: Keyed | undefined) {
    const { seconds } = admitted.tool.meta.limits
    const until = DateTime.addDuration(yield* realNow, Duration.seconds(Math.max(LEASE_SECONDS, seconds)))
    const held: KeyWrite | undefined = keyed === undefined ? undefined : keyHeld(keyed, resourceOf(admitted), until)
    const reserved = yield* meter.reserve(quote, seconds, { key: held })
    const settled = Effect.gen(function*() {
      const { cents, reply, result_sha256 } = yield* delivered(admitted, quote)
      yield* meter.settle(reserved, cents, { result_sha256 }, keyed === undefined ? undefined : keyDone(keyed, resourceOf(admitted), reply, "finish"))
      return { reply, cents }
    })
    return yield* Effect.onError(settled, () => Effect.ignore(meter.release(reserved, "not_delivered")))
  })

  const charged = Effect.fnUntraced(function*(admitted: Admitted, account: string, charge: Charge): Effect.fn.Return<ToolAnswer, CreditsExhausted | BudgetExceeded | CommitRefused | NotDelivered | Stopped> {
    const { request, tool } = admitted
    const keyed = keyedOf(request.headers["idempotency-key"], account, admitted)
    const quote = yield* meter.quoted(charge)
    const act = tool.meta.kind === "inline" ? inline : outside
    if (keyed === undefined) {
      const { cents, reply } = yield* act(admitted, quote, undefined)
      return { _tag: "Answered", ...decodeKept(parseJson(reply.body)), headers: standingHeaders(after(quote, cents), cents), meta: {} }
    }
    let cost = 0
    const reply = yield* once(idempotency, account, keyed, (begun): Effect.Effect<StoredReply, CreditsExhausted | BudgetExceeded | CommitRefused | NotDelivered | Stopped> =>
      begun._tag === "Resume"
        // The first call stopped half way, and may have acted: it is released by its timer, and answered by nothing.
        ? Effect.fail(stop(refuse("IDEMPOTENCY_CONFLICT", "Its first call was cut off, and costs nothing.")))
        : Effect.map(act(admitted, quote, keyed), ({ cents, reply: stored }) => {
          cost = cents
          return stored
        })).pipe(
      Effect.catchTags({
        IdempotencyKeyReused: ({ message }) => stop(refuse("IDEMPOTENCY_CONFLICT", message)),
        IdempotencyInProgress: ({ message }) => stop(refuse("IDEMPOTENCY_CONFLICT", message, { retry_after: 1 })),
        VersionConflict: ({ message }) => stop(refuse("IDEMPOTENCY_CONFLICT", message, { retry_after: 1 }))
      })
    )
    const meta = reply.replayed ? { "svc/replayed": true } : {}
    return { _tag: "Answered", ...decodeKept(parseJson(reply.body)), headers: standingHeaders(after(quote, cost), cost), meta }
  })

  const free = Effect.fnUntraced(function*(admitted: Admitted) {
    const { caller, tool } = admitted
    const answer = answered(yield* run(admitted))
    if (answer._tag === "Answered" && !answer.isError) yield* meter.countFree(caller?.account.id, tool.name)
    return caller === undefined ? answer : { ...answer, headers: standingHeaders(yield* meter.recentStanding(caller.account.id)) }
  })

  /** Asked to be paid, or paid. Whoever referred the payer earns with the first of these; what a crash leaves out, the next makes good. */
  const paid = Effect.fnUntraced(function*(admitted: Admitted, why: Why): Effect.fn.Return<ToolAnswer, Refused> {
    const answer = yield* paywall.demand(admitted, why)
    if (answer._tag === "Answered" && !answer.isError && admitted.caller !== undefined) {
      yield* Effect.ignore(referrals.reward(admitted.caller.account.id), { log: "Warn" })
    }
    return answer
  })

  /** By credits; without enough of them free once, for an account that came by a token; else when it is made. */
  const byAccount = Effect.fnUntraced(function*(admitted: Admitted, caller: ToolCaller, takes: Takes, why: Why): Effect.fn.Return<ToolAnswer, Refused> {
    const { account } = caller
    const { quote } = admitted.prepared
    const from = (paid_by: PaidBy, cents: Cents) => charged(admitted, account.id, { ...chargeOf(admitted, caller, paid_by, cents), takes })
    const exhausted = paid(admitted, why)
    const byReferral = Effect.suspend(() => from("referral", 0)).pipe(Effect.catchTag("CreditsExhausted", () => exhausted))
    return yield* from(quote === 0 ? "free" : "credits", quote).pipe(
      Effect.catchTag("CreditsExhausted", () => takes === "bought for it" ? exhausted : Effect.flatMap(referrals.isFree(account.id, quote), (free) => free ? byReferral : exhausted)),
      Effect.catchTags({
        NotDelivered: ({ answer }) => Effect.map(meter.recentStanding(account.id), (standing) => ({ ...answer, headers: standingHeaders(standing) })),
        BudgetExceeded: ({ key, left, limit, message, period }) => Effect.fail(refuse("AGENT_BUDGET_EXCEEDED", message, { agent_key_id: key, period, limit_cents: limit, left_cents: left })),
        Stopped: ({ refusal }) => Effect.fail(refusal),
        CommitRefused: (refused) => Effect.die(refused)
      })
    )
  })

  /** Only a plan pays for it. Whoever has none is asked to buy one, and the call runs once that is paid; its payment is the key of what follows. */
  const byPlan = Effect.fnUntraced(function*(unkeyed: Admitted, caller: ToolCaller, excluded: boolean): Effect.fn.Return<ToolAnswer, Refused> {
    const admitted = paywall.hasCredential(unkeyed.request) ? { ...unkeyed, request: underPaymentsKey(unkeyed.request) } : unkeyed
    const sold = excluded ? yield* paywall.sellPlan(admitted) : undefined
    if (sold !== undefined && sold._tag !== "PlanSold") return sold
    const answer = yield* byAccount(admitted, caller, "all", "CREDITS_EXHAUSTED")
    return sold === undefined || answer._tag !== "Answered" ? answer : { ...answer, headers: { ...answer.headers, ...sold.headers }, meta: { ...answer.meta, ...sold.meta } }
  })

  /** Whether the account's plan leaves this work out. Credits that were bought pay for it all the same. */
  const isExcluded = Effect.fnUntraced(function*({ prepared, tool }: Admitted, { account }: ToolCaller) {
    return tool.meta.serviceWork === true && prepared.quote > 0 && !plans[(yield* meter.standing(account.id)).tier].serviceWork
  })

  return Effect.fnUntraced(function*(admitted: Admitted): Effect.fn.Return<ToolAnswer, Refused> {
    const { caller, prepared, request, terms, tool } = admitted
    const away = yield* prepared.absent
    if (away !== undefined) return answered(away)
    const hasKey = request.headers["idempotency-key"] !== undefined && caller !== undefined && tool.meta.ownKey !== true
    if (prepared.quote === 0 && !hasKey) return yield* free(admitted)
    if (caller === undefined) return yield* paid(admitted, "PAYMENT_REQUIRED")
    const excluded = yield* isExcluded(admitted, caller)
    if (tool.meta.planOnly === true && (excluded || terms.counterOffer === undefined)) return yield* byPlan(admitted, caller, excluded)
    if (terms.counterOffer !== undefined || paywall.hasCredential(request)) return yield* paid(admitted, "PAYMENT_REQUIRED")
    if (tool.meta.paidByCall === true) return yield* byAccount(admitted, caller, "bought for it", "PAYMENT_REQUIRED")
    return yield* byAccount(admitted, caller, excluded ? "granted" : "all", excluded ? "TIER_REQUIRED" : "CREDITS_EXHAUSTED")
  })
})
