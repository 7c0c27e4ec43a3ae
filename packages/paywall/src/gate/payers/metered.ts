/** A call that the meter charges: the run and its charge, once for each key of the caller. */
import type { ToolCaller } from "@svc/accounts/access/model"
import { claimedKeys } from "@svc/kernel/resource/claimed-keys"
import { Idempotency, keyDone, type Keyed, keyHeld, LEASE_SECONDS, once } from "@svc/kernel/resource/idempotency"
import type { CommitRefused } from "@svc/kernel/road/committer"
import type { KeyWrite, StoredReply } from "@svc/kernel/road/decision"
import { parseJson } from "@svc/kernel/values/json"
import { realNow } from "@svc/kernel/values/time"
import { creditHeaders } from "@svc/metering/tool-calls/credit-summary"
import { type CallBudgetExceeded, type InsufficientCredits, type PaidBy, ToolCallId } from "@svc/metering/tool-calls/model"
import type { AllowedCredits } from "@svc/metering/tool-calls/rules"
import type { CallCharge, QuotedCharge } from "@svc/metering/tool-calls/service/charge-plan-and-credits"
import { Meter } from "@svc/metering/tool-calls/service/meter"
import type { Cents } from "@svc/tool-kit/call"
import type { AnsweredCall, RefusedCall, ToolAnswer } from "@svc/tool-kit/gate/model"
import { refuse, refuseWith } from "@svc/tool-kit/gate/refusals"
import { answerOf } from "@svc/tool-kit/outcome"
import { Data, DateTime, Duration, Effect, Schema } from "effect"
import { hash } from "node:crypto"
import { type Admitted, run } from "../admitted.ts"
import { budgetRefusal } from "../answers.ts"
import { countPaid } from "../call-metrics.ts"

/** The tool did not deliver, so there is nothing to charge and nothing to keep under the key. */
class NotDelivered extends Data.TaggedError("NotDelivered")<{ readonly answer: AnsweredCall | RefusedCall }> {}

/** The idempotency key of the call is in use, or stands for another call. */
class KeyConflict extends Data.TaggedError("KeyConflict")<{ readonly refusal: RefusedCall }> {}
const keyConflict = (message: string) => new KeyConflict({ refusal: refuse("IDEMPOTENCY_CONFLICT", message) })

/** The key stands for this very call, which has no answer to repeat, or none yet. */
const stopped = (message: string, retry_after?: number) =>
  new KeyConflict({ refusal: refuseWith("IDEMPOTENCY_CONFLICT", message, retry_after === undefined ? undefined : { retry_after }) })

const STILL_RUNS = "The first call with this idempotency key still runs. " +
  "Repeat the identical call, with the same key, after a second: its answer is the result."

type NotCharged = InsufficientCredits | CallBudgetExceeded | CommitRefused | NotDelivered | KeyConflict

const Kept = Schema.Struct({ result: Schema.Unknown, isError: Schema.Boolean })
const decodeKept = Schema.decodeUnknownSync(Kept)

/** The service keeps a hash of the key and of the account, so that no other account meets the key. */
const keyedOf = (key: string | undefined, account: string, { arguments_sha256, call, tool }: Admitted): Keyed | undefined =>
  key === undefined ? undefined : {
    key: `tool_${hash("sha256", `${account}\n${key}`, "hex")}`,
    operation: `tool.${tool.name}`,
    fingerprint: hash("sha256", `${arguments_sha256}\n${call.mode}`, "hex")
  }

const resourceOf = ({ call }: Admitted) => ({ type: "tool_call", id: call.id })

/** Who pays for the call, how many cents at most, and which credits may be taken. */
export interface Payer {
  readonly paid_by: PaidBy
  readonly cents: Cents
  readonly takes: AllowedCredits
}

const chargeOf = (
  { arguments_sha256, call, chain, tool }: Admitted,
  { account, credential }: ToolCaller,
  { cents, paid_by, takes }: Payer
): CallCharge => ({
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
  quote: cents,
  takes
})

/** A kept reply as the answer of a call for which so many cents were taken now. */
const answered = (
  { body }: Pick<StoredReply, "body">,
  quoted: QuotedCharge,
  charged: Cents,
  meta: AnsweredCall["meta"] = {}
): AnsweredCall => ({
  _tag: "Answered",
  ...decodeKept(parseJson(body)),
  charged,
  headers: creditHeaders(quoted.summaryAfter(charged), charged),
  meta
})

export const makeMetered = Effect.gen(function*() {
  const meter = yield* Meter
  const idempotency = yield* Idempotency
  const keys = yield* claimedKeys

  const delivered = Effect.fnUntraced(function*(admitted: Admitted, { charge }: QuotedCharge) {
    const outcome = yield* run(admitted)
    if (outcome._tag !== "Done") return yield* new NotDelivered({ answer: answerOf(outcome) })
    const result = JSON.stringify(outcome.result)
    const reply: StoredReply = { status: 200, body: `{"result":${result},"isError":false}` }
    return { cents: Math.min(outcome.cents, charge.quote), reply, result_sha256: hash("sha256", result, "hex") }
  })

  /** The tool runs before the charge: a result that the charge refuses is thrown away. */
  const inline = Effect.fnUntraced(function*(admitted: Admitted, quoted: QuotedCharge, keyed: Keyed | undefined) {
    const { cents, reply, result_sha256 } = yield* delivered(admitted, quoted)
    yield* meter.charge(quoted, cents, result_sha256, keyed === undefined ? undefined : keyDone(keyed, resourceOf(admitted), reply))
    return { reply, cents }
  })

  /** The charge is reserved before the run: what runs outside cannot be taken back. */
  const outside = Effect.fnUntraced(function*(admitted: Admitted, quoted: QuotedCharge, keyed: Keyed | undefined) {
    const { seconds } = admitted.tool.meta.limits
    const until = DateTime.addDuration(yield* realNow, Duration.seconds(Math.max(LEASE_SECONDS, seconds)))
    const held: KeyWrite | undefined = keyed === undefined ? undefined : keyHeld(keyed, resourceOf(admitted), until)
    const reserved = yield* meter.reserve(quoted, seconds, { key: held })
    const settled = Effect.gen(function*() {
      const { cents, reply, result_sha256 } = yield* delivered(admitted, quoted)
      const done = keyed === undefined ? undefined : keyDone(keyed, resourceOf(admitted), reply, "finish")
      yield* meter.settle(reserved, cents, { result_sha256 }, done)
      return { reply, cents }
    })
    return yield* settled.pipe(
      Effect.onError(() => Effect.ignore(meter.release(reserved, "not_delivered"))),
      // The tool failed by itself: its caller hears why, and may try again under the key.
      Effect.tapErrorTag("NotDelivered", () => keyed === undefined ? Effect.void : keys.release(keyed))
    )
  })

  const charged = Effect.fnUntraced(function*(
    admitted: Admitted,
    account: string,
    charge: CallCharge
  ): Effect.fn.Return<ToolAnswer, NotCharged> {
    const { request, tool } = admitted
    const keyed = keyedOf(request.headers["idempotency-key"], account, admitted)
    const quoted = yield* meter.quote(charge)
    const act = tool.meta.kind === "inline" ? inline : outside
    if (keyed === undefined) {
      const { cents, reply } = yield* act(admitted, quoted, undefined)
      return answered(reply, quoted, cents)
    }
    let cost = 0
    const reply = yield* once(idempotency, account, keyed, (begun): Effect.Effect<StoredReply, NotCharged> =>
      begun._tag === "Resume"
        // The first call stopped half way, and may have acted. Its timer releases it, and there is no answer to repeat.
        ? Effect.fail(stopped("The first call with this idempotency key was cut off, and costs nothing. Use a fresh key to call again."))
        : Effect.map(act(admitted, quoted, keyed), ({ cents, reply: stored }) => {
          cost = cents
          return stored
        })).pipe(
        Effect.catchTags({
          IdempotencyKeyReused: ({ message }) => keyConflict(message),
          IdempotencyInProgress: () => stopped(STILL_RUNS, 1),
          VersionConflict: () => stopped(STILL_RUNS, 1)
        })
      )
    return answered(reply, quoted, cost, reply.replayed ? { "svc/replayed": true } : {})
  })

  /** Runs the call and charges the payer. Fails with `InsufficientCredits` where another payer may be asked. */
  return (admitted: Admitted, caller: ToolCaller, payer: Payer): Effect.Effect<ToolAnswer, RefusedCall | InsufficientCredits> =>
    charged(admitted, caller.account.id, chargeOf(admitted, caller, payer)).pipe(
      Effect.catchTags({
        NotDelivered: ({ answer }) =>
          Effect.map(meter.recentSummary(caller.account.id), (summary) => ({ ...answer, headers: creditHeaders(summary) })),
        CallBudgetExceeded: (exceeded) => Effect.fail(budgetRefusal(exceeded)),
        KeyConflict: ({ refusal }) => Effect.fail(refusal),
        CommitRefused: (refused) => Effect.die(refused)
      }),
      Effect.map((answer) => countPaid(admitted.tool.name, payer.paid_by, answer))
    )
})
