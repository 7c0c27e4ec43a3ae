/** The gate, in the order of its checks: who, may they, with what, again, is it there, for how much, and then the run. */
import { actorOf, type ToolCaller } from "@svc/accounts/access/model"
import { AgentKeyId } from "@svc/accounts/agent-keys/model"
import { AgentKeyUses } from "@svc/accounts/agent-keys/service/uses"
import { ToolCallers } from "@svc/accounts/tool-callers/service"
import { containsCardNumber } from "@svc/kernel/card-numbers"
import { parseJson } from "@svc/kernel/json"
import { canonicalize, NotCanonical } from "@svc/kernel/canonical-json"
import { nextId } from "@svc/kernel/ids"
import { span } from "@svc/kernel/span"
import { Actor } from "@svc/kernel/actor"
import { accountTime } from "@svc/kernel/clocks/account-time"
import { Effect, Layer, Result } from "effect"
import { hash } from "node:crypto"
import { type Call, centsText, type Mode } from "../call.ts"
import { Catalog } from "../derive.ts"
import { type Compiled, type Prepared, priceIn } from "../tool.ts"
import type { Chain } from "../tool-calls/rules.ts"
import { type AskedBudget, budgetIn, negotiate, type Terms } from "./budget.ts"
import { withCallMeta } from "./call-meta.ts"
import { keyIn } from "./credentials.ts"
import { LONGEST_KEY, makeCharging } from "./charging.ts"
import { Gate, type Refused, type ToolAnswer, type ToolRequest } from "./model.ts"
import { Paywall, type Priced } from "./paywall.ts"
import { CallLimit } from "./limits.ts"
import { refusals, refuse } from "./refusals.ts"
import { standingHeaders } from "./answers.ts"
import { stood } from "./standing.ts"
import { Meter } from "../tool-calls/service.ts"
import { Referrals } from "../referrals/service.ts"

/** Of a key that is not known the detail is what the refusal says by itself. */
const invalidKey = (detail: string): Refused => {
  const refused = refuse("INVALID_KEY", detail)
  const { meaning, next } = refusals.INVALID_KEY
  return meaning.endsWith(detail.replace(/^It /u, "")) ? { ...refused, message: `${meaning} ${next}` } : refused
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, 80))

/** Where in the arguments something is that has no canonical form. */
const placeOf = (failure: unknown): string => failure instanceof NotCanonical ? failure.path.replace(/^\$\.(?:arguments\.)?/u, "").slice(0, 200) : "arguments"

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
const chainOf = (caller: ToolCaller | undefined, budget: AskedBudget | undefined): Chain => {
  if (caller === undefined) return []
  const keys = caller.credential.kind === "agent_key" ? caller.credential.chain : []
  return budget === undefined ? keys : [...keys, { id: caller.credential.id, budgets: budget.budgets, asked: true }]
}

/** What a call costs in each mode, as far as that can be told before its arguments are known to fit. */
const quoter = (tool: Compiled<never>, args: unknown) => (mode: Mode): number => {
  const prepared = tool.prepare(args, { id: "", mode })
  return Result.isSuccess(prepared) ? prepared.success.quote : priceIn(tool.meta.prices, mode)
}

/** Digits of a fraction are no card number, and a vector has thousands of them. */
const withoutVectors = (value: unknown): unknown =>
  parseJson(JSON.stringify(value, (_, item: unknown) => Array.isArray(item) && item.every((one) => typeof one === "number") ? [] : item))

const notesOf = ({ meta }: Extract<ToolAnswer, { readonly _tag: "Answered" }>): ReadonlyArray<unknown> => Array.isArray(meta["svc/notes"]) ? meta["svc/notes"] : []

/** An answer that came about otherwise than was asked for says so. */
const withNotes = (answer: ToolAnswer, { mode, notes }: Terms): ToolAnswer =>
  answer._tag !== "Answered" || notes.length === 0 ? answer : { ...answer, meta: { ...answer.meta, "svc/mode": mode, "svc/notes": [...notesOf(answer), ...notes] } }

/** Bytes of UTF-8 and not characters: a limit of bytes is a limit of memory. */
const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? "")

interface Asked {
  readonly price: Priced
  readonly key: string | undefined
  readonly terms: Terms
  readonly budget: AskedBudget | undefined
}

const make = Effect.gen(function*() {
  const paywall = yield* Paywall
  const uses = yield* AgentKeyUses
  const tools = yield* Catalog
  const callers = yield* ToolCallers
  const limit = yield* CallLimit
  const meter = yield* Meter
  const referrals = yield* Referrals
  const { inTimeOf } = yield* accountTime
  const charge = yield* makeCharging

  const standing = ({ account, clocked }: ToolCaller) => {
    const headers = Effect.map(meter.recentStanding(account.id), (found) => standingHeaders(found))
    return clocked ? inTimeOf(account.id)(headers) : headers
  }

  const recognise = Effect.fnUntraced(function*(key: string | undefined): Effect.fn.Return<ToolCaller | undefined, Refused> {
    return key === undefined ? undefined : yield* Effect.mapError(callers.find(key), ({ detail }) => invalidKey(detail))
  })

  const mayCall = Effect.fnUntraced(function*(tool: Compiled<never>, caller: ToolCaller | undefined, { address }: ToolRequest): Effect.fn.Return<void, Refused> {
    const { auth } = tool.meta
    const agent = caller?.credential.kind === "agent_key" ? caller.credential : undefined
    if (caller === undefined && (auth === "key" || auth === "agent")) return yield* Effect.fail(refuse("AUTH_REQUIRED", `${tool.name} needs one.`))
    if (auth === "agent" && agent === undefined) return yield* Effect.fail(refuse("AUTH_REQUIRED", `${tool.name} is called with an agent key, agk_live_ or agk_test_.`))
    if (caller !== undefined && caller.account.status !== "active" && !(tool.meta.prices === "free" && tool.meta.hints.readOnly)) {
      return yield* Effect.fail(refuse("ACCOUNT_NOT_ACTIVE", `It is ${caller.account.status}.`))
    }
    if (agent?.policy.allowed_tools?.includes(tool.name) === false) {
      return yield* Effect.fail(refuse("AGENT_TOOL_NOT_ALLOWED", `${tool.name} is not among ${agent.policy.allowed_tools.join(", ") || "its tools, which are none"}.`))
    }
    const wait = yield* limit.take(caller, address)
    if (wait !== undefined) return yield* Effect.fail(refuse("RATE_LIMITED", `The next call may come in ${wait} s.`, { retry_after: wait }, { "retry-after": String(wait) }))
  })

  const prepare = (tool: Compiled<never>, request: ToolRequest, made: Call): Effect.Effect<Prepared<never>, Refused> => {
    const card = tool.meta.keepsText === true ? containsCardNumber(withoutVectors(request.arguments)) : undefined
    if (card !== undefined) {
      return Effect.fail(refuse("INVALID_ARGUMENTS", `${card.join(".") || "arguments"}: holds what looks like a card number, which is not kept here. Leave it out.`))
    }
    const prepared = tool.prepare(request.arguments, made)
    return Result.isSuccess(prepared) ? Effect.succeed(prepared.success) : Effect.fail(refuse("INVALID_ARGUMENTS", prepared.failure.message))
  }

  const withinPolicy = ({ agent }: Call, { quote }: Prepared<never>): Effect.Effect<void, Refused> => {
    const most = agent?.policy.max_amount_minor_cents
    return most === undefined || quote <= most
      ? Effect.void
      : Effect.fail(refuse("AGENT_AMOUNT_NOT_ALLOWED", `The call costs ${centsText(quote)}, and one payment may come to ${most}.`))
  }

  /** What is asked for, before it is known by whom. */
  const asked = Effect.fnUntraced(function*(tool: Compiled<never>, request: ToolRequest): Effect.fn.Return<Asked, Refused> {
    const { bytes } = tool.meta.limits
    // Not every door looks how deep a body is, and writing calls itself at each level.
    const size = Result.try(() => sizeOf(request.arguments))
    if (Result.isFailure(size)) return yield* Effect.fail(refuse("INVALID_ARGUMENTS", "arguments: nested too deeply."))
    if (size.success > bytes) return yield* Effect.fail(refuse("ARGUMENTS_TOO_LARGE", `${tool.name} takes ${bytes} bytes, and these are ${size.success}.`))
    const canonical = Result.try(() => canonicalize({ name: tool.name, arguments: request.arguments }))
    if (Result.isFailure(canonical)) return yield* Effect.fail(refuse("INVALID_ARGUMENTS", `${placeOf(canonical.failure)}: holds text that is not Unicode, a number that JSON does not know, or is nested too deeply.`))
    const chosen = request.headers["idempotency-key"]
    if (chosen !== undefined && (chosen === "" || chosen.length > LONGEST_KEY)) {
      return yield* Effect.fail(refuse("INVALID_ARGUMENTS", `Idempotency-Key: has ${chosen.length} characters, and must have 1 to ${LONGEST_KEY}.`))
    }
    const budget = budgetIn(request.headers["x-agent-budget"])
    if (Result.isFailure(budget)) return yield* Effect.fail(refuse("INVALID_ARGUMENTS", budget.failure))
    const terms = negotiate(quoter(tool, request.arguments), request.headers["x-agent-mode"], budget.success)
    const price = { tool: tool.name, mode: terms.mode, argumentsSha256: hash("sha256", canonical.success, "hex") }
    const key = keyIn(request.headers) ?? (paywall.hasCredential(request) ? yield* paywall.keyOf(request, price) : undefined)
    return { price, key, terms, budget: budget.success }
  })

  const call = Effect.fnUntraced(function*(received: ToolRequest): Effect.fn.Return<ToolAnswer> {
    const tool = tools.get(received.name)
    if (tool === undefined) return refuse("UNKNOWN_TOOL", `It was called ${quoted(received.name)}.`)
    const completed = withCallMeta(received)
    if (Result.isFailure(completed)) return refuse("INVALID_ARGUMENTS", completed.failure)
    const request = completed.success
    const checked = Effect.gen(function*() {
      const { budget, key, price, terms } = yield* asked(tool, request)
      const caller = yield* recognise(key)
      const entered = Effect.gen(function*() {
        yield* mayCall(tool, caller, request)
        if (caller?.credential.kind === "agent_key") yield* uses.used(caller.account.id, AgentKeyId.make(caller.credential.id))
      })
      const admitted = Effect.gen(function*() {
        const token = request.headers["x-svc-referral-token"]
        if (token !== undefined && caller !== undefined) yield* referrals.join(token, caller.account.id)
        const made = callOf(yield* nextId("call"), price.mode, caller)
        const prepared = yield* prepare(tool, request, made)
        yield* withinPolicy(made, prepared)
        const admitted = { request, tool, prepared, call: made, caller, key, chain: chainOf(caller, budget), terms, arguments_sha256: price.argumentsSha256 }
        return withNotes(yield* charge(admitted), terms)
      })
      if (caller === undefined) return yield* Effect.andThen(entered, admitted)
      const signed = Effect.provideService(admitted, Actor, actorOf(caller))
      return yield* Effect.andThen(entered, caller.clocked ? inTimeOf(caller.account.id)(signed) : signed).pipe(
        Effect.catch((refused) => Effect.succeed<ToolAnswer>(refused)),
        Effect.flatMap(stood(standing(caller)))
      )
    })
    return yield* checked.pipe(
      Effect.catch((refused) => Effect.succeed<ToolAnswer>(refused)),
      Effect.catchCause((cause) => Effect.as(Effect.logError("a call of a tool failed", cause), refuse("INTERNAL", "")))
    )
  }, span("Gate.call"))
  return Gate.of({ call, standing, find: (token) => Effect.option(callers.find(token)) })
})

export const layer = Layer.effect(Gate, make)
