/**
 * Plays one plan: an agent that calls, pays and loses replies, until it has an answer or gives up; then time passes, and every timer runs.
 */
import type { Row } from "@svc/kernel/database/columns"
import type { Commit } from "@svc/kernel/road/decision"
import { runDue } from "@svc/kernel/timers/timers"
import { now } from "@svc/kernel/values/time"
import { CallStatuses } from "@svc/paywall/call-status/service"
import type { Stablecoin } from "@svc/paywall/payment/model"
import { Gate, type ToolAnswer, type ToolRequest } from "@svc/tool-kit/gate/model"
import { Clock, type Context, Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { ScriptedFacilitator } from "./facilitator.ts"
import type { Plan } from "./plan.ts"
import { type Credential, isCard, pay, walletOf } from "./wallet.ts"
import { type Fate, makeFate, type Process } from "./world.ts"

/** What outlives the processes. */
export interface Stage {
  readonly facilitator: ScriptedFacilitator
  readonly stablecoin: Stablecoin
  /** Two processes, each with its fate. */
  readonly processes: ReadonlyArray<{ readonly fate: Fate; readonly context: Context.Context<Process> }>
  readonly key: string
}

/** What one agent sent and heard. */
export interface Heard {
  readonly plan: Plan
  readonly order: string
  /** All that it paid with. */
  readonly paid: Array<Credential>
  /** Answers to requests that paid, in order. */
  readonly got: Array<unknown>
  readonly problems: Array<string>
  crashes: number
}

type Got = { readonly _tag: "Lost" } | ToolAnswer

const row = (commit: Commit<unknown>, table: string): Row | undefined => commit.writes.find((write) => write.table.name === table)?.row

const of = (table: string, holds: (row: Row) => boolean) => (commit: Commit<unknown>): boolean => {
  const found = row(commit, table)
  return found !== undefined && holds(found)
}

const reserves = of("tool_calls", ({ version }) => version === 1)
const holds = of("payment_intents", ({ state }) => state === "authorized")
const keeps = of("tool_calls", ({ result_sha256, state }) => state === "reserved" && result_sha256 !== null)
const takes = of("payment_intents", ({ state }) => state === "captured")
const settles = of("tool_calls", ({ state }) => state === "settled")

/** Lets the plan come true in the process that is asked next. */
const doom = (fate: Fate, { dies, kind, point, written }: Plan) => {
  const at = (holdsFor: typeof reserves) => {
    fate.commit = { when: written ? "after" : "before", of: holdsFor, left: 0 }
  }
  switch (point) {
    case "after verification":
      return at(reserves)
    case "after hold":
      if (isCard(kind)) fate.commit = { when: "after", of: holds, left: 0 }
      else fate.run = true
      return
    case "during run":
      fate.run = dies
      return
    case "after run":
      return at(keeps)
    case "after money taken":
      // Nobody has heard of it; it is booked, and the call is not settled; all is written.
      fate.commit = { when: written ? "after" : "before", of: dies ? settles : takes, left: 0 }
      return
    default:
      return
  }
}

export const play = Effect.fnUntraced(function*(stage: Stage, plan: Plan) {
  const { facilitator, stablecoin } = stage
  const heard: Heard = { plan, order: plan.seed, paid: [], got: [], problems: [], crashes: 0 }
  const wallet = walletOf(plan.seed)
  let running = 0
  let doomed = false
  let tries = 0
  const processAt = () => {
    const found = stage.processes[running]
    if (found === undefined) throw new Error("no process")
    return found
  }
  facilitator.script(plan.manner, plan.faults)
  for (const { fate } of stage.processes) Object.assign(fate, makeFate())

  /** Whoever died is followed by the other. */
  const follow = Effect.sync(() => {
    const { fate } = processAt()
    if (!fate.dead) return
    heard.crashes++
    Object.assign(fate, makeFate())
    running = 1 - running
    if (plan.second !== undefined && heard.crashes === 1) {
      processAt().fate.commit = {
        when: plan.written ? "before" : "after",
        of: () => true,
        left: plan.second
      }
    }
  })

  const within = <A, E>(effect: Effect.Effect<A, E, Process>) => Effect.provideContext(effect, processAt().context)

  const timers = Effect.gen(function*() {
    yield* Effect.flatMap(now, (at) => runDue(at)).pipe((run) =>
      Effect.flatMap(Effect.context<SqlClient.SqlClient>(), (outer) => within(Effect.provideContext(run, outer)))
    )
    yield* follow
  })

  const wait = Effect.fnUntraced(function*(seconds: number) {
    yield* TestClock.adjust(seconds * 1000)
    yield* timers
  })
  const pause = Effect.suspend(() => wait(plan.waits[tries++ % plan.waits.length] ?? 1))

  const isOpen = Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const open = yield* Effect.orDie(sql`
      SELECT 1 FROM tool_calls WHERE finished_at IS NULL UNION ALL SELECT 1 FROM payment_intents WHERE metadata ? 'tool_call' AND state IN ('created', 'pending', 'authorized') LIMIT 1`)
    return open.length > 0
  })

  /** Longer and longer, as long as something is open. */
  const toItsEnd = Effect.gen(function*() {
    for (const seconds of [3, 40, 100, 200, 400, 600, 600]) if (yield* isOpen) yield* wait(seconds)
  })

  const request = (credential: Credential | undefined): ToolRequest => ({
    name: plan.tool,
    arguments: { order: heard.order, ...(plan.fails ? { fails: true } : {}) },
    headers: {
      ...(plan.known ? { "x-svc-key": stage.key } : {}),
      ...(plan.keyed ? { "idempotency-key": `key of ${heard.order}, which nobody guesses` } : {}),
      ...credential?.carried.headers
    },
    meta: credential?.carried.meta ?? {},
    url: "http://localhost:4001/mcp",
    address: "127.0.0.1"
  })

  /** Nobody is asked to pay again whose payment arrived, or may have. */
  const mayBeAsked = Effect.fnUntraced(function*({ challenge, nonce }: Credential) {
    const sql = yield* SqlClient.SqlClient
    const keys = [`mpp:${challenge}`, `eip3009:${wallet.address}:${nonce}`, `permit2:${wallet.address}:${nonce}`]
    const calls = yield* Effect.orDie(sql<{ readonly state: string }>`
      SELECT t.state FROM payment_claims c JOIN tool_calls t ON t.account_id = c.account_id AND t.id = c.call_id WHERE c.key = ANY(${keys}::text[])`)
    if (facilitator.moved.some((one) => one.nonce === nonce && one.from === wallet.address)) {
      heard.problems.push("402 for a payment that was carried out")
    }
    for (const { state } of calls) if (state !== "released") heard.problems.push(`402 for a payment whose call is ${state}`)
  })

  /** The answer, if any of it arrives. */
  const ask = Effect.fnUntraced(function*(credential: Credential | undefined): Effect.fn.Return<Got, never, SqlClient.SqlClient> {
    const first = credential !== undefined && !doomed
    const { fate } = processAt()
    if (first) {
      doomed = true
      doom(fate, plan)
      if (plan.point === "before verification") return { _tag: "Lost" }
    }
    const call = within(Effect.flatMap(Gate, (gate) => gate.call(request(credential))))
    if (first && plan.point === "during run" && !plan.dies) {
      const held = { running: yield* Deferred.make<void>(), goOn: yield* Deferred.make<void>() }
      fate.held = held
      const fiber = yield* Effect.forkChild(call)
      yield* Effect.raceFirst(Deferred.await(held.running), Fiber.await(fiber))
      // The connection is gone, and whoever pays asks again while the tool runs.
      yield* Effect.forkDetach(Effect.delay(Deferred.succeed(held.goOn, undefined), `${plan.waits[0] ?? 0} seconds`))
      yield* Fiber.interrupt(fiber)
      return { _tag: "Lost" }
    }
    const answer = yield* call
    const died = fate.dead
    yield* follow
    if (died || (first && (plan.point === "before body" || plan.point === "mid-body"))) return { _tag: "Lost" }
    if (credential !== undefined && answer._tag === "PaymentRequired") yield* mayBeAsked(credential)
    return answer
  })

  /** Reads what a status URL leads to. */
  const fetched = Effect.fnUntraced(function*(url: unknown) {
    const [, id = "", token = ""] = /\/v1\/calls\/(\w+)\?token=(.+)$/u.exec(String(url)) ?? []
    return yield* within(Effect.gen(function*() {
      const statuses = yield* CallStatuses
      const account = yield* statuses.accountOf(id, token)
      return account === undefined ? undefined : yield* Effect.orDie(statuses.get(account, id))
    }))
  })

  const ended = (answer: ToolAnswer): boolean => {
    if (answer._tag === "Answered") {
      heard.got.push(answer.isError ? undefined : answer.result)
      return true
    }
    if (answer._tag !== "Refused") return false
    if (answer.data.code !== "IDEMPOTENCY_CONFLICT" && answer.data.code !== "POSSIBLE_DUPLICATE") {
      heard.problems.push(`it was refused with ${answer.data.code}: ${answer.message}`)
    }
    return answer.data.code === "POSSIBLE_DUPLICATE"
  }

  /** Waits for an outcome that is not known yet. */
  const awaited = Effect.fnUntraced(function*(url: string) {
    for (let n = 0; n < 3; n++) {
      yield* pause
      const status = yield* fetched(url)
      if (status === undefined) heard.problems.push("its status URL opens nothing")
      if (status?.state !== "pending" && status?.state !== "reserved") return
    }
  })

  const signed = Effect.fnUntraced(function*(demand: Extract<ToolAnswer, { readonly _tag: "PaymentRequired" }>) {
    const salt = `${plan.seed}/${heard.paid.length}`
    const identifier = plan.identified ? `payment_of_${Buffer.from(salt).toString("hex").slice(0, 64)}` : undefined
    const credential = pay({
      kind: plan.kind,
      wallet,
      stablecoin,
      now: Math.floor((yield* Clock.currentTimeMillis) / 1000),
      salt,
      identifier
    }, demand)
    heard.paid.push(credential)
    return credential
  })

  let credential: Credential | undefined
  for (let turn = 0; turn < 12; turn++) {
    if (credential === undefined || plan.agent === "careless") {
      const asked = yield* ask(undefined)
      if (asked._tag === "Lost") continue
      if (asked._tag !== "PaymentRequired") {
        if (ended(asked)) break
        yield* pause
        continue
      }
      credential = yield* signed(asked)
    }
    const answer = yield* ask(credential)
    if (answer._tag === "Lost") yield* pause
    else if (answer._tag === "PaymentRequired") credential = undefined
    else if (answer._tag === "Pending" && plan.agent === "stock") yield* awaited(answer.status_url)
    else if (ended(answer)) break
    else yield* pause
  }

  // From here on nothing breaks any more: what was begun comes to its end.
  facilitator.script(plan.manner, [])
  for (const { fate } of stage.processes) Object.assign(fate, makeFate())
  yield* toItsEnd
  // The payment may be out of time by now; what was paid with it is not.
  yield* TestClock.adjust((plan.waits[1] ?? 0) * 1000)

  // What was paid with is sent once more: it moves nothing, and brings what was paid for.
  const again: Array<{ readonly credential: Credential; readonly result: unknown; readonly answer: string }> = []
  for (const one of heard.paid) {
    const answer = yield* within(Effect.flatMap(Gate, (gate) => gate.call(request(one))))
    const status = answer._tag === "Refused" && "status_url" in answer.data ? yield* fetched(answer.data["status_url"]) : undefined
    again.push({
      credential: one,
      result: answer._tag === "Answered" && !answer.isError ? answer.result : status?.result,
      answer: answer._tag === "Refused" ? answer.data.code : answer._tag
    })
  }
  yield* toItsEnd
  return { ...heard, again, wallet: wallet.address }
})

export type Played = Effect.Success<ReturnType<typeof play>>
