/** The group of the tools: what their typed callers can rely on. */
import { assert, describe, it } from "@effect/vitest"
import { AgentBudgetExceeded, PaymentInFlight } from "@svc/payments/payment-intents/errors"
import type { InvalidFields } from "@svc/stores/model"
import type { NotConfigured } from "@svc/tool-kit/backend"
import type { RefusalName, ToolAnswer } from "@svc/tool-kit/gate/model"
import { refusals, refuse } from "@svc/tool-kit/gate/refusals"
import type { FetchFailed, InvalidRequest } from "@svc/tool-kit/services/errors"
import { freeCalls } from "@svc/tool-kit/testing"
import { type CallError, callErrors, type PaymentRequired } from "@svc/tool-kit/typed/errors"
import { refusedWith, unpaidWith } from "@svc/tool-kit/typed/result"
import { Arbitrary, Effect, Layer, Schema, type Types } from "effect"
import { type Rpc, type RpcClient, RpcGroup, RpcTest } from "effect/rpc"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { NotAllowed, PaymentNotMade } from "../agent-payments/model.ts"
import { AgentPayments, type PaymentRefused } from "../agent-payments/service.ts"
import { execute_payment } from "./execute_payment.ts"
import { Tools } from "./group.ts"
import { all, type Tool } from "./index.ts"

// ---- types ------------------------------------------------------------------------------------------------------------------------

type ErrorOf<N extends Tool["_tag"]> = Rpc.ErrorExit<Extract<Tool, { readonly _tag: N }>>

const _ofAPureTool: Types.Equals<ErrorOf<"list_programs">, CallError> = true
const _ofItsOwn: Types.Equals<ErrorOf<"execute_payment">, PaymentNotMade | CallError> = true
const _ofItsBackend: Types.Equals<
  Exclude<ErrorOf<"svc_embeddings">, CallError>,
  FetchFailed | InvalidFields | InvalidRequest
> = true
const _saysMessage: ErrorOf<Tool["_tag"]>["message"] = ""
const _saysWhatToDo: Exclude<CallError, NotConfigured>["code" | "retryable"] = true

type Client = RpcClient.FromGroup<typeof Tools>

const _caught = ({ ping_payment, svc_embeddings }: Client, pay: (due: PaymentRequired) => Effect.Effect<string>) => {
  const call = ping_payment({})
  const _paid = call.pipe(Effect.catchTag("PaymentRequired", pay))
  const _payable = call.pipe(
    Effect.catchTag(["PaymentRequired", "CreditsExhausted"], ({ challenges }) => Effect.succeed(challenges.length))
  )
  // @ts-expect-error there is no such tag
  const _misspelt = call.pipe(Effect.catchTag("PaymentRequird", pay))
  // @ts-expect-error the error of another tool
  const _others = call.pipe(Effect.catchTag("PaymentNotMade", pay))
  // @ts-expect-error arguments that do not fit
  const _unfit = () => svc_embeddings({ inputs: "red" })
}

const callTags: ReadonlyArray<string> = callErrors.map(({ identifier }) => identifier)

// ---- the group --------------------------------------------------------------------------------------------------------------------

describe("the group", () => {
  it("has the tool of each file of this folder, under its own name", () => {
    const files = readdirSync(import.meta.dirname).filter((file) =>
      /^[a-z0-9_]+\.ts$/u.test(file) && / = (?:tool|planned)\(\{/u.test(readFileSync(join(import.meta.dirname, file), "utf8"))
    )
    assert.sameMembers(all.map(({ name }) => `${name}.ts`), files)
    assert.lengthOf(new Set(callTags), 16)
    assert.includeMembers([...callTags], ["PaymentRequired", "CreditsExhausted", "BudgetExceeded", "ToolNotAllowed", "NotConfigured"])
    for (const [name, tool] of Tools.requests) assert.deepStrictEqual([tool.name, tool._tag, tool.compiled.name], [name, name, name])
  })

  it.effect.each(all.filter(({ declared }) => declared.length > 0).map((tool) => [tool.name, tool] as const))(
    "gives the own errors of %s to typed callers as their class, and none by the tag of an error of calling",
    ([, { declared, errorSchema }]) =>
      Effect.gen(function*() {
        const codec = Schema.toCodecJson(errorSchema)
        for (const schema of declared) {
          for (const error of yield* Arbitrary.sampleEffect(Arbitrary.schema(schema), { count: 20, seed: 1 })) {
            const wire: unknown = yield* Schema.encodeUnknownEffect(codec)(error)
            const read: unknown = yield* Schema.decodeUnknownEffect(codec)(JSON.parse(JSON.stringify(wire)))
            assert.strictEqual(Object.getPrototypeOf(read), Object.getPrototypeOf(error))
            assert.deepStrictEqual(read, error)
            assert.notInclude(callTags, error._tag)
          }
        }
      })
  )
})

// ---- errors of calling ------------------------------------------------------------------------------------------------------------

const names = Object.keys(refusals).filter((name): name is RefusalName => name in refusals)

describe("a refusal of the gate", () => {
  it.each(names.map((name) => [name]))("%s is an error of calling that says the same", (name) => {
    const refused = refuse(name, "Because.", { retry_after: 3, status_url: "/s", limit_cents: 5, left_cents: 1, period: "day" })
    const error = refusedWith(refused)
    assert.deepInclude({ ...error, message: error.message }, { code: name, message: refused.message, retryable: true })
    assert.isTrue(callErrors.some((of) => Object.getPrototypeOf(error) === of.prototype))
  })
})

describe("an answer that asks for a payment", () => {
  const asked = (error_code: string): Extract<ToolAnswer, { readonly _tag: "PaymentRequired" }> => ({
    _tag: "PaymentRequired",
    body: { price: "0.01", error_code, agent_message: "Pay." },
    inBand: {},
    challenges: [{ id: "ch_1" }],
    authenticate: [],
    headers: {},
    meta: {}
  })

  it.each([
    ["PAYMENT_REQUIRED", "PaymentRequired"],
    ["CREDITS_EXHAUSTED", "CreditsExhausted"],
    ["TIER_REQUIRED", "PlanRequired"]
  ])("%s is %s", (code, tag) => {
    const { message, ...error }: Readonly<Record<string, unknown>> = {
      ...unpaidWith(asked(code)),
      message: unpaidWith(asked(code)).message
    }
    assert.deepInclude(error, { _tag: tag, code, challenges: [{ id: "ch_1" }] })
    assert.strictEqual(message, "Pay.")
  })
})

// ---- a tool whose run refuses, too ------------------------------------------------------------------------------------------------

const Group = RpcGroup.make(execute_payment)
const agent = { agent: { id: "agk_1", policy: {}, chain: [] } }

/** What a typed caller of `execute_payment` is told when the payments service refuses so. */
const toldWhen = (refused: PaymentRefused) =>
  Effect.gen(function*() {
    const client = yield* RpcTest.makeClient(Group)
    return yield* Effect.flip(
      client.execute_payment({ idempotency_key: "order-17", amount: 100, currency: "USD", payment_method_id: "tok_visa" })
    )
  }).pipe(
    Effect.scoped,
    Effect.provide(
      Group.toLayer({ execute_payment: execute_payment.handler }).pipe(
        Layer.provideMerge(freeCalls(execute_payment, agent)),
        Layer.provide(Layer.mock(AgentPayments)({ pay: () => Effect.fail(refused) }))
      )
    )
  )

describe("execute_payment", () => {
  it.effect("fails with its own error, or with that of the key's policy and budget", () =>
    Effect.gen(function*() {
      const inFlight = yield* toldWhen(new PaymentInFlight({ message: "Wait." }))
      assert.instanceOf(inFlight, PaymentNotMade)
      assert.deepInclude({ ...inFlight }, { code: "payment_in_flight", retryable: true })
      const notAllowed = yield* toldWhen(new NotAllowed({ code: "AGENT_AMOUNT_NOT_ALLOWED", detail: "Too much." }))
      assert.deepInclude({ ...notAllowed }, { _tag: "PaymentNotAllowed", code: "AGENT_AMOUNT_NOT_ALLOWED", retryable: false })
      const budget = yield* toldWhen(
        new AgentBudgetExceeded({ message: "Over.", key: "agk_1", period: "day", limit: 100, left: 7 })
      )
      assert.deepInclude({ ...budget }, { _tag: "BudgetExceeded", period: "day", limit_cents: 100, left_cents: 7 })
    }))
})
