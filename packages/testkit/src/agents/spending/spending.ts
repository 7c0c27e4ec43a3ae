/**
 * Two servers that are killed again and again while agents spend: each call has a key and is sent until it is answered, some by 64 at once.
 * What was billed is what was delivered, everybody who counts it says the same, and at no instant is a budget passed, at none of three
 * levels.
 */
import type { AgentBudgets } from "@svc/accounts/agent-keys/model"
import { SearchRepository } from "@svc/stores/search/repository"
import { Search } from "@svc/stores/search/service"
import { Turns } from "@svc/stores/turns"
import { Effect, Exit, Fiber, Layer, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { dataDir, startServer } from "../../kills/server.ts"
import { verifyBooks } from "../../road.ts"
import { type Chance, makeChance } from "../../simulation/chance.ts"
import { type Agent, type Caller, grantCredits, issueAgent, openCaller } from "../service.ts"
import { hear, type Heard, insist, intend, QUOTED } from "./calls.ts"
import { sample, watch } from "./sampler.ts"

const LEASE_SECONDS = 5
const REACHED_WITHIN = "30 seconds"

export interface Options {
  readonly seed: string
  /** Servers that are killed. */
  readonly kills: number
  /** Calls that are sent by 64 at once, each with one key. */
  readonly stormed: number
  /** Calls that each agent means to make. */
  readonly calls: number
}

export interface SpendingReport {
  readonly killed: number
  readonly delivered: number
  readonly lost: number
  readonly refused: ReadonlyArray<string>
  /** Levels of the keys whose budgets were in the way of some call. */
  readonly levels: ReadonlyArray<number>
  readonly samples: number
  readonly problems: ReadonlyArray<string>
}

const SENDERS = 64
const MIDDLES = 4
const LEAVES = 16

/** Less at each level than those below it would spend together, so that each is met: one of the middle keys has little. */
const ROOT: AgentBudgets = { life: 430, day: 420 }
const middleOf = (n: number): AgentBudgets => n === 0 ? { life: 60, hour: 55 } : { life: 180, hour: 170 }
const LEAF: AgentBudgets = { life: 15, month: 14 }

interface Tree {
  readonly leaves: ReadonlyArray<Agent>
  readonly levelOf: ReadonlyMap<string, number>
}

const plant = Effect.fnUntraced(function*(account: Caller) {
  const root = yield* issueAgent(account, { budgets: ROOT })
  const levelOf = new Map([[root.id, 1]])
  const leaves: Array<Agent> = []
  for (let middle = 0; middle < MIDDLES; middle++) {
    const below = yield* issueAgent(account, { budgets: middleOf(middle) }, root)
    levelOf.set(below.id, 2)
    for (let n = 0; n < LEAVES; n++) {
      const leaf = yield* issueAgent(account, { budgets: LEAF }, below)
      levelOf.set(leaf.id, 3)
      leaves.push(leaf)
    }
  }
  return { leaves, levelOf: new Map<string, number>(levelOf) } satisfies Tree
})

interface State {
  readonly running: Array<string | undefined>
  killed: number
  readonly problems: Array<string>
}

type Kill = { readonly failPoint: string } | { readonly millis: number }

/** One server after the other in this place, each until it is killed, and one more that lives. */
const place = Effect.fnUntraced(function*(state: State, at: number, next: () => Kill | undefined, folder: string) {
  const outer = yield* Effect.scope
  while (true) {
    const kill = next()
    const scope = yield* Scope.fork(outer)
    const server = yield* Scope.provide(
      startServer({
        dataDir: folder,
        leaseSeconds: LEASE_SECONDS,
        ...(kill !== undefined && "failPoint" in kill ? { failPoint: kill.failPoint } : {})
      }),
      scope
    )
    const serve = Effect.tap(server.ready, () =>
      Effect.sync(() => {
        state.running[at] = server.toolsUrl
      }))
    if (kill === undefined) return yield* serve
    yield* Effect.forkIn(Effect.ignore(serve), scope)
    const signal = "millis" in kill
      ? yield* Effect.andThen(Effect.andThen(Effect.ignore(server.ready), Effect.sleep(kill.millis)), server.kill)
      : yield* Effect.timeoutOrElse(server.ended, { duration: REACHED_WITHIN, orElse: () => server.kill })
    state.running[at] = undefined
    if (signal === "SIGKILL") state.killed++
    else state.problems.push(`a server ended with ${signal}: ${server.output()}`)
    yield* Scope.close(scope, Exit.void)
  }
})

const killOf = (chance: Chance): Kill =>
  chance.happens(0.6)
    ? { failPoint: `commit.${chance.pick(["before", "after"])}:${chance.between(5, 60)}` }
    : { millis: chance.between(50, 2_000) }

interface Sums {
  readonly calls: number
  readonly billed: number
  readonly credits: number
  readonly reserved: number
  readonly booked: number
  readonly unfinished: number
}

/** M12, of one account: what was billed is what was delivered, by every count. */
const billing = Effect.fnUntraced(function*({ id, key }: Caller, heard: ReadonlyArray<Heard>, base: string, creditBalance: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Sums>`SELECT
    (SELECT count(*) FROM tool_calls WHERE account_id = ${id}) AS calls,
    (SELECT count(*) FROM tool_calls WHERE account_id = ${id} AND state <> 'settled') AS unfinished,
    (SELECT coalesce(sum(price), 0)::float8 FROM tool_calls WHERE account_id = ${id} AND state = 'settled') AS billed,
    (SELECT coalesce(sum(spent), 0)::float8 FROM counters WHERE account_id = ${id} AND name = 'credits') AS credits,
    (SELECT coalesce(sum(reserved), 0)::float8 FROM counters WHERE account_id = ${id}) AS reserved,
    (SELECT coalesce(sum(amount), 0)::float8 FROM financial_events WHERE merchant_id = ${id} AND event_type = 'fee_charged') AS booked`
  const delivered = heard.filter((one) => one.delivered.length > 0)
  const due = delivered.reduce((sum, { call }) => sum + call.cents, 0)
  const answer = yield* Effect.promise(() => fetch(`${base}/v1/usage`, { headers: { authorization: `Bearer ${key}` } }))
  const usage: unknown = yield* Effect.promise(() => answer.json())
  const told = JSON.stringify(usage)
  const charged = Number(/"charged_cents":(\d+)/.exec(told.slice(told.indexOf("\"totals\"")))?.[1])
  const expected = {
    calls: delivered.length,
    unfinished: 0,
    billed: due,
    credits: due,
    reserved: 0,
    booked: due,
    usage: due,
    balance: (creditBalance - due) * 10
  }
  const found = { ...row, usage: charged, balance: Number(answer.headers.get("x-svc-credits-balance")) }
  return Object.entries(expected).flatMap(([name, wanted]) => {
    const value = Object.entries(found).find(([one]) => one === name)?.[1]
    return Number(value) === wanted ? [] : [`M12: ${name} is ${String(value)} and should be ${wanted}`]
  })
}, Effect.orDie)

/** Of one call: all who got its result got the same, and it was told to cost what it costs at most once. */
const heardProblems = ({ call, costs, delivered, failed, problems, refused }: Heard): ReadonlyArray<string> => [
  ...problems,
  ...(new Set(delivered).size > 1 ? [`M12: ${call.key} has ${new Set(delivered).size} results`] : []),
  ...(delivered.length > 0 && failed.length > 0 ? [`M12: ${call.key} was delivered and failed`] : []),
  ...(delivered.length > 0 && refused.length > 0 && call.ends !== "delivered" ? [`M12: ${call.key} was delivered and refused`] : []),
  ...(costs.filter((cost) => cost > 0).length > 1
    ? [`M12: ${call.key} was told to cost something ${costs.filter((cost) => cost > 0).length} times`]
    : [])
]

/** Each account has a document that an engineer's search quotes. */
const keepDocuments = (callers: ReadonlyArray<Caller>) =>
  Effect.gen(function*() {
    const { index } = yield* Search
    for (const { id } of callers) yield* index(id, QUOTED, [{ doc_id: "refunds", content: "Refunds take two days." }])
  }).pipe(Effect.provide(Search.layer.pipe(Layer.provide([SearchRepository.layer, Turns.layer]))), Effect.orDie)

/** What the month gives an account on the free plan, and what is granted besides. */
const ALLOWANCE = 1_000
const GRANT = 500

export const spending = Effect.fn("spending")(function*({ calls, kills, seed, stormed }: Options) {
  const chance = makeChance(`spending/${seed}`)
  const [stormy, owner] = [yield* openCaller("stormy"), yield* openCaller("owner")]
  yield* grantCredits(stormy, GRANT)
  yield* grantCredits(owner, GRANT)
  yield* keepDocuments([stormy, owner])
  const tree = yield* plant(owner)
  const state: State = { running: [], killed: 0, problems: [] }
  const routes = makeChance(`spending routes/${seed}`)
  const base = () => {
    const up = state.running.filter((url) => url !== undefined)
    return up.length === 0 ? undefined : routes.pick(up)
  }
  const plan = Array.from({ length: kills }, () => killOf(chance))
  let at = 0
  const servers = yield* Effect.forkScoped(
    Effect.forEach([0, 1], (n) => Effect.flatMap(dataDir, (folder) => place(state, n, () => plan[at++], folder)), {
      concurrency: "unbounded",
      discard: true
    })
  )
  const found = { samples: 0, problems: new Set<string>() }
  const watching = yield* Effect.forEach([stormy, owner], ({ id }) => Effect.forkScoped(watch(id, found)))

  const pause = () => routes.between(20, 250)
  const storms = Array.from({ length: stormed }, (_, n) => hear(intend(makeChance(`${seed}/storm/${n}`), stormy.key, `${seed}-storm-${n}`)))
  const agents = tree.leaves.map(({ token }, agent) =>
    Array.from({ length: calls }, (_, n) => hear(intend(makeChance(`${seed}/agent/${agent}/${n}`), token, `${seed}-agent-${agent}-${n}`)))
  )
  const storming = Effect.forEach(
    storms,
    (heard) =>
      Effect.forEach(Array.from({ length: SENDERS }), () => insist(heard, base, pause), { concurrency: "unbounded", discard: true }),
    { concurrency: 2, discard: true }
  )
  const roaming = Effect.forEach(agents, (mine) => Effect.forEach(mine, (heard) => insist(heard, base, pause), { discard: true }), {
    concurrency: "unbounded",
    discard: true
  })
  yield* Effect.all([storming, roaming], { concurrency: "unbounded", discard: true })
  yield* Fiber.join(servers)
  yield* Effect.forEach(watching, Fiber.interrupt, { discard: true })

  const all = agents.flat()
  const last = base() ?? ""
  const problems = [
    ...state.problems,
    ...found.problems,
    ...[...storms, ...all].flatMap(heardProblems),
    ...(yield* billing(stormy, storms, last, ALLOWANCE + GRANT)),
    ...(yield* billing(owner, all, last, ALLOWANCE + GRANT)),
    ...(yield* sample(stormy.id)),
    ...(yield* sample(owner.id)),
    ...(yield* Effect.forEach(
      [stormy, owner],
      ({ id }) =>
        Effect.map(
          verifyBooks(id),
          ({ first_break }) => first_break === null ? [] : [`M4: the books break at ${JSON.stringify(first_break)}`]
        )
    )).flat()
  ]
  const refused = all.flatMap((heard) => heard.refused)
  return {
    killed: state.killed,
    delivered: [...storms, ...all].filter(({ delivered }) => delivered.length > 0).length,
    lost: [...storms, ...all].reduce((sum, { lost }) => sum + lost, 0),
    refused: refused.map(({ code }) => code),
    levels: Array.from(new Set(refused.flatMap(({ key }) => key === undefined ? [] : [tree.levelOf.get(key) ?? 0]))).sort(),
    samples: found.samples,
    problems
  } satisfies SpendingReport
}, Effect.scoped)
