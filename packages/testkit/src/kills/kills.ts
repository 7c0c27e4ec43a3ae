/**
 * Two servers on one database that are killed again and again under load, at named points and at any moment.
 * The database, the provider and the receiver of the webhooks outlive them; so do the merchants, who send
 * a request again until it is answered. At the end everything must have happened once and been told.
 */
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { Clock, Effect, Exit, Fiber, FiberSet, Schedule, Schema, Scope } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { SqlClient } from "effect/sql"
import { startProvider } from "../provider.ts"
import { openCatalog } from "../simulation/billing.ts"
import { makeChance } from "../simulation/chance.ts"
import type { Chance } from "../simulation/chance.ts"
import { makeMerchants } from "./inside.ts"
import { journey } from "./journey.ts"
import type { World } from "./journey.ts"
import { billed, leftBehind } from "./left-behind.ts"
import { killPlan, nameOf } from "./plan.ts"
import type { Kill } from "./plan.ts"
import { allDelivered, startReceiver } from "./receiver.ts"
import type { Receiver } from "./receiver.ts"
import { ask, oneAnswer } from "./requests.ts"
import type { Heard, Merchant } from "./requests.ts"
import { dataDir, startServer } from "./server.ts"
import { subscribing } from "./subscribing.ts"

const SERVERS = 2
const MERCHANTS = 4
const MILLIS_BETWEEN_JOURNEYS = 120
/** Journeys at one time: a machine that is slow for a while is not buried under what it has not done yet. */
const UNDER_WAY = 50
/** Of all journeys; the others are single payments. */
const SUBSCRIBING = 0.3
/** Instead of 60 s for keys and 30 s for timers and webhooks, so that what a kill interrupted is taken up during the run. */
const LEASE_SECONDS = 12
/** Within this a server gets to its fail point, the slowest machine included. */
const REACHED_WITHIN = "60 seconds"
/** A few leases one after another; the rest is room for a slow machine. */
const DRAINED_WITHIN_MILLIS = 240_000
const LOST_AT_PROVIDER = 0.05

const WithSecret = fromJsonText(Schema.Struct({ secret: Schema.String }))

/** What a run of kills came to. */
export interface KillReport {
  readonly kills: ReadonlyArray<string>
  readonly operations: number
  /** Requests that were never answered. */
  readonly lost: number
  readonly events: number
  /** Periods after the first of a subscription that were charged. */
  readonly renewed: number
  /** Changes of plan that were charged at once. */
  readonly changed: number
  /** Webhooks that came more than once. */
  readonly repeated: number
  /** From the last kill until everything had come to its end, milliseconds. */
  readonly drained: number
  /** The broken invariants; none when all hold. */
  readonly problems: ReadonlyArray<string>
}

interface State {
  readonly running: Array<string | undefined>
  readonly killed: Array<string>
  readonly problems: Array<string>
}

/** One server after the other in this place, each until it is killed, and one more that lives. */
const place = Effect.fnUntraced(function*(state: State, at: number, next: () => Kill | undefined, providerUrl: string, folder: string) {
  const outer = yield* Effect.scope
  while (true) {
    const kill = next()
    const scope = yield* Scope.fork(outer)
    const server = yield* Scope.provide(
      startServer({
        providerUrl,
        dataDir: folder,
        leaseSeconds: LEASE_SECONDS,
        ...(kill?._tag === "At" ? { failPoint: `${kill.point}:${kill.nth}` } : {})
      }),
      scope
    )
    const serve = Effect.tap(server.ready, () =>
      Effect.sync(() => {
        state.running[at] = server.url
      }))
    if (kill === undefined) return yield* serve
    // A server may die before it is ready.
    yield* Effect.forkIn(Effect.ignore(serve), scope)
    const signal = kill._tag === "After"
      ? yield* Effect.andThen(Effect.sleep(kill.millis), server.kill)
      : yield* Effect.timeoutOrElse(server.ended, {
        duration: REACHED_WITHIN,
        orElse: () => Effect.as(server.kill, "never got there" as const)
      })
    state.running[at] = undefined
    if (signal === "SIGKILL") state.killed.push(nameOf(kill))
    else state.problems.push(`the server with ${nameOf(kill)} ended with ${signal}: ${server.output()}`)
    yield* Scope.close(scope, Exit.void)
  }
})

/** Starts payments and subscriptions one after another for as long as it runs. */
const shop = Effect.fnUntraced(function*(world: World, journeys: FiberSet.FiberSet, seed: string) {
  for (let n = 0;; n++) {
    while ((yield* FiberSet.size(journeys)) >= UNDER_WAY) yield* Effect.sleep(MILLIS_BETWEEN_JOURNEYS)
    const chance = makeChance(`${seed}/journey/${n}`)
    yield* FiberSet.run(journeys, (chance.happens(SUBSCRIBING) ? subscribing : journey)(world, chance, `${seed}-${n}`))
    yield* Effect.sleep(MILLIS_BETWEEN_JOURNEYS)
  }
})

const setFaults = (url: string, seed: number, kind: string) =>
  HttpClient.execute(
    HttpClientRequest.post(`${url}/faults`).pipe(HttpClientRequest.bodyJsonUnsafe({ kind, probability: LOST_AT_PROVIDER, seed }))
  ).pipe(
    Effect.flatMap((response) => response.text),
    Effect.orDie
  )

const makeEndpoint = Effect.fnUntraced(function*(base: string, receiver: Receiver, { id, secret }: Merchant) {
  const response = yield* HttpClient.execute(
    HttpClientRequest.put(`${base}/v1/webhook_endpoint`).pipe(
      HttpClientRequest.bearerToken(secret),
      HttpClientRequest.bodyJsonUnsafe({ url: receiver.url })
    )
  )
  receiver.expect(id, (yield* Schema.decodeEffect(WithSecret)(yield* response.text)).secret)
}, Effect.orDie)

/** Waits until a renewal and a change of plan were charged: where the machine is slow, all kills may be over before. */
const paid = (accounts: ReadonlyArray<string>) =>
  billed(accounts).pipe(
    Effect.repeat({ until: ({ changed, renewed }) => changed > 0 && renewed > 0, schedule: Schedule.spaced("1 second") }),
    Effect.timeoutOption(DRAINED_WITHIN_MILLIS)
  )

interface Open {
  readonly what: string
  readonly n: number
}

/** Waits until nothing is under way any more, and tells what is when that takes too long. */
const drained = Effect.fnUntraced(function*(accounts: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const since = yield* Clock.currentTimeMillis
  while (true) {
    const open = yield* sql<Open>`
      SELECT 'calls' AS what, count(*) AS n FROM payment_intents WHERE merchant_id = ANY(${accounts}::text[]) AND (open_call IS NOT NULL OR state = 'pending')
      UNION ALL SELECT 'keys', count(*) FROM idempotency_keys WHERE account_id = ANY(${accounts}::text[]) AND status = 'in_progress'
      UNION ALL SELECT 'webhooks', count(*) FROM webhook_deliveries WHERE account_id = ANY(${accounts}::text[]) AND status IN ('pending', 'retrying')
      UNION ALL SELECT 'timers', count(*) FROM timers WHERE account_id = ANY(${accounts}::text[]) AND due_at < now() + interval '1 hour'`
    const left = open.filter(({ n }) => n > 0)
    if (left.length === 0) return []
    if ((yield* Clock.currentTimeMillis) - since > DRAINED_WITHIN_MILLIS) {
      return left.map(({ n, what }) => `M9: ${n} ${what} are left after ${DRAINED_WITHIN_MILLIS} ms`)
    }
    yield* Effect.sleep("250 millis")
  }
})

/** Sends everything that was answered once more: the answers must be the same. */
const replay = (world: World) =>
  Effect.forEach(world.heard.filter(({ answers }) => answers.length > 0), (heard) =>
    Effect.gen(function*() {
      const answer = yield* ask(world.base() ?? "", heard.operation)
      if (answer?.replayed === true) heard.answers.push(answer)
      else heard.refusals.push(answer ?? { status: 0, text: "no answer to a repetition", replayed: false })
    }), { concurrency: 8, discard: true })

const sum = (heard: ReadonlyArray<Heard>, count: (of: Heard) => number): number => heard.reduce((total, of) => total + count(of), 0)

const anyOf = (chance: Chance, running: State["running"]) => (): string | undefined => {
  const up = running.filter((url) => url !== undefined)
  return up.length === 0 ? undefined : chance.pick(up)
}

/** Kills so many servers. `progress` hears how many are dead. */
export const kills = Effect.fn("kills")(function*(seed: string, count: number, progress: (dead: number) => void = () => {}) {
  const chance = makeChance(`kills/${seed}`)
  const provider = yield* startProvider(0)
  const receiver = yield* startReceiver
  const merchants = yield* makeMerchants(MERCHANTS)
  const accounts = merchants.map(({ id }) => id)
  const state: State = { running: [], killed: [], problems: [] }
  const plans = new Map(
    yield* Effect.forEach(merchants, ({ account, id }) => Effect.map(openCatalog(account), (catalog) => [id, catalog.plans] as const))
  )
  const world: World = { merchants, plans, base: anyOf(makeChance(`routes/${seed}`), state.running), heard: [] }

  const first = yield* Effect.scoped(Effect.gen(function*() {
    const folder = yield* dataDir
    const server = yield* startServer({ providerUrl: provider.url, dataDir: folder })
    yield* server.ready
    yield* Effect.forEach(merchants, (merchant) => makeEndpoint(server.url, receiver, merchant), { discard: true })
    return yield* server.kill
  }))
  if (first !== "SIGKILL") state.problems.push(`the first server ended with ${first}`)

  const plan = killPlan(chance, count)
  let at = 0
  const next = () => {
    progress(state.killed.length)
    return plan[at++]
  }
  yield* setFaults(provider.url, chance.between(1, 1_000_000), "reset_after")
  const journeys = yield* FiberSet.make()
  const shopping = yield* Effect.forkScoped(shop(world, journeys, seed))
  yield* Effect.forEach(
    Array.from({ length: SERVERS }, (_, n) => n),
    (n) => Effect.flatMap(dataDir, (folder) => place(state, n, next, provider.url, folder)),
    { concurrency: "unbounded", discard: true }
  )
  const lastKill = yield* Clock.currentTimeMillis

  yield* paid(accounts)
  yield* Fiber.interrupt(shopping)
  yield* setFaults(provider.url, 1, "none")
  yield* FiberSet.awaitEmpty(journeys)
  const problems = [...state.problems, ...(yield* drained(accounts))]
  const millis = (yield* Clock.currentTimeMillis) - lastKill
  yield* replay(world)
  problems.push(...world.heard.flatMap(oneAnswer))
  problems.push(...(yield* leftBehind(merchants.map(({ account }) => account), provider)))
  problems.push(...(yield* allDelivered(receiver, accounts)))
  const report: KillReport = {
    kills: state.killed,
    operations: world.heard.length,
    lost: sum(world.heard, ({ counts }) => counts.lost),
    events: receiver.seen.size,
    ...(yield* billed(accounts)),
    repeated: Array.from(receiver.seen.values()).filter(({ answers }) => answers.length > 1).length,
    drained: millis,
    problems
  }
  return report
}, Effect.scoped)
