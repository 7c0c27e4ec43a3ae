/** The gate, in the order of its checks: who, may they, with what, again, is it there, for how much, and then the run. */
import { actorOf, type ToolCaller } from "@svc/accounts/access/model"
import { AgentKeyId } from "@svc/accounts/agent-keys/model"
import { AgentKeyUses } from "@svc/accounts/agent-keys/service/uses"
import { ToolCallers } from "@svc/accounts/tool-callers/service"
import { accountTime } from "@svc/kernel/clocks/account-time"
import { Actor } from "@svc/kernel/parts/actor"
import { span } from "@svc/kernel/parts/span"
import { nextId } from "@svc/kernel/values/ids"
import { beginningOf } from "@svc/kernel/values/text"
import { keyIn } from "@svc/metering/access/model"
import { CallLimit } from "@svc/metering/rate-limits/call-limit"
import { Referrals } from "@svc/metering/referrals/service"
import { creditHeaders } from "@svc/metering/tool-calls/credit-summary"
import type { BudgetChain } from "@svc/metering/tool-calls/rules"
import { Meter } from "@svc/metering/tool-calls/service/meter"
import type { Call, Mode } from "@svc/tool-kit/call"
import { Catalog } from "@svc/tool-kit/derive"
import { Gate, type RefusedCall, type ToolAnswer, type ToolRequest } from "@svc/tool-kit/gate/model"
import { refuse } from "@svc/tool-kit/gate/refusals"
import type { Compiled } from "@svc/tool-kit/tool"
import { Effect, Layer, Result } from "effect"
import type { AskedBudget, Terms } from "./budget.ts"
import { withCallMeta } from "./call-meta.ts"
import { countUnpaid } from "./call-metrics.ts"
import { accessRefusal, amountRefusal, cardRefusal, invalidKey, rateRefusal } from "./checks.ts"
import { makePayerChoice } from "./choose-payer.ts"
import { addCredits } from "./credit-headers.ts"
import { Paywall } from "./paywall.ts"
import { type RequestedCall, requestedCall } from "./terms.ts"

/** A call of a known tool, whose caller is recognised. */
interface Recognised extends RequestedCall {
  readonly tool: Compiled<never>
  readonly request: ToolRequest
  readonly caller: ToolCaller | undefined
  /** The key that the caller was recognised by. */
  readonly key: string | undefined
}

const callOf = (id: string, mode: Mode, caller: ToolCaller | undefined): Call => {
  if (caller === undefined) return { id, mode }
  const { account, credential } = caller
  return {
    id,
    mode,
    account: { id: account.id, sandbox: account.sandbox },
    ...(credential.kind === "agent_key" ? { agent: { id: credential.id, policy: credential.policy, chain: credential.chain } } : {})
  }
}

/** Whose budgets a call counts in: those of the key and of the keys it was cut from, and what the agent itself named for them. */
const chainOf = (caller: ToolCaller | undefined, budget: AskedBudget | undefined): BudgetChain => {
  if (caller === undefined) return []
  const keys = caller.credential.kind === "agent_key" ? caller.credential.chain : []
  return budget === undefined ? keys : [...keys, { id: caller.credential.id, budgets: budget.budgets, asked: true }]
}

const notesOf = ({ meta }: Extract<ToolAnswer, { readonly _tag: "Answered" }>): ReadonlyArray<unknown> =>
  Array.isArray(meta["svc/notes"]) ? meta["svc/notes"] : []

/** An answer that came about otherwise than was asked for says so. */
const withNotes = (answer: ToolAnswer, { mode, notes }: Terms): ToolAnswer =>
  answer._tag !== "Answered" || notes.length === 0
    ? answer
    : { ...answer, meta: { ...answer.meta, "svc/mode": mode, "svc/notes": [...notesOf(answer), ...notes] } }

/** Fails with the refusal, where there is one. */
const pass = (refusal: RefusedCall | undefined): Effect.Effect<void, RefusedCall> =>
  refusal === undefined ? Effect.void : Effect.fail(refusal)

const answered = <R>(checked: Effect.Effect<ToolAnswer, RefusedCall, R>): Effect.Effect<ToolAnswer, never, R> =>
  Effect.catch(checked, (refused) => Effect.succeed<ToolAnswer>(refused))

/** From a recognised caller to the answer: limits, an earlier answer, arguments, price, and then the payer. */
const makeAdmission = Effect.gen(function*() {
  const [limit, uses] = [yield* CallLimit, yield* AgentKeyUses]
  const referrals = yield* Referrals
  const charge = yield* makePayerChoice

  /** Whether the caller may call the tool, now. */
  const enter = Effect.fnUntraced(function*({ caller, request, tool }: Recognised): Effect.fn.Return<void, RefusedCall> {
    yield* pass(accessRefusal(tool, caller))
    yield* pass(rateRefusal(yield* limit.take(caller, request.address)))
    if (caller?.credential.kind === "agent_key") yield* uses.used(caller.account.id, AgentKeyId.make(caller.credential.id))
  })

  const admit = Effect.fnUntraced(function*(recognised: Recognised): Effect.fn.Return<ToolAnswer, RefusedCall> {
    const { budget, caller, key, price, request, terms, tool } = recognised
    const earlier = request.earlier === undefined ? undefined : yield* request.earlier(caller)
    if (earlier !== undefined) return earlier
    const token = request.headers["x-svc-referral-token"]
    if (token !== undefined && caller !== undefined) yield* referrals.join(token, caller.account.id)
    const call = callOf(yield* nextId("call"), price.mode, caller)
    yield* pass(cardRefusal(tool, request))
    const prepared = tool.prepare(request.arguments, call)
    if (Result.isFailure(prepared)) return refuse("INVALID_ARGUMENTS", prepared.failure.message)
    yield* pass(amountRefusal(call, prepared.success))
    const chain = chainOf(caller, budget)
    const arguments_sha256 = price.argumentsSha256
    const answer = yield* charge({ request, tool, prepared: prepared.success, call, caller, key, chain, terms, arguments_sha256 })
    return withNotes(answer, terms)
  })

  return { admit, enter }
})

const make = Effect.gen(function*() {
  const [callers, meter, paywall, tools] = [yield* ToolCallers, yield* Meter, yield* Paywall, yield* Catalog]
  const { inTimeOf } = yield* accountTime
  const { admit, enter } = yield* makeAdmission

  /** In the time of the caller's account, which may have a clock of its own. */
  const inCallersTime = ({ account, clocked }: ToolCaller) => <A, E>(effect: Effect.Effect<A, E>) =>
    clocked ? inTimeOf(account.id)(effect) : effect

  const creditsOf = (caller: ToolCaller) =>
    inCallersTime(caller)(Effect.map(meter.recentSummary(caller.account.id), (summary) => creditHeaders(summary)))

  const recognise = (key: string) => Effect.mapError(callers.find(key), ({ detail }) => invalidKey(detail))

  const checked = Effect.fnUntraced(function*(tool: Compiled<never>, request: ToolRequest): Effect.fn.Return<ToolAnswer, RefusedCall> {
    const requested = yield* Effect.fromResult(requestedCall(tool, request))
    const key = keyIn(request.headers) ?? (paywall.hasCredential(request) ? yield* paywall.keyOf(request, requested.price) : undefined)
    const caller = request.caller ?? (key === undefined ? undefined : yield* recognise(key))
    const recognised = { ...requested, tool, request, caller, key }
    if (caller === undefined) return yield* Effect.andThen(enter(recognised), admit(recognised))
    const signed = Effect.provideService(admit(recognised), Actor, actorOf(caller))
    return yield* answered(Effect.andThen(enter(recognised), inCallersTime(caller)(signed))).pipe(
      Effect.flatMap(addCredits(creditsOf(caller)))
    )
  })

  const call = Effect.fnUntraced(function*(received: ToolRequest): Effect.fn.Return<ToolAnswer> {
    const tool = tools.get(received.name)
    if (tool === undefined) return refuse("UNKNOWN_TOOL", `It was called ${JSON.stringify(beginningOf(received.name, 80))}.`)
    const request = withCallMeta(received)
    if (Result.isFailure(request)) return refuse("INVALID_ARGUMENTS", request.failure)
    const answer = yield* answered(checked(tool, request.success)).pipe(
      Effect.catchCause((cause) => Effect.as(Effect.logError("a call of a tool failed", cause), refuse("INTERNAL", "")))
    )
    countUnpaid(tool.name, answer)
    return answer
  }, span("Gate.call"))

  const keyRefusal = (token: string) => Effect.match(recognise(token), { onFailure: (refused) => refused, onSuccess: () => undefined })

  return Gate.of({ call, creditHeaders: creditsOf, recognise, keyRefusal, find: (token) => Effect.option(callers.find(token)) })
})

export const layer = Layer.effect(Gate, make)
