/**
 * Many senders of one idempotency key at once, over HTTP, with replies lost on both sides of the service:
 * senders hang up before they are answered, and the provider breaks off its calls.
 */
import { Clock, Effect } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { makeMerchants } from "../kills/inside.ts"
import { leftBehind } from "../kills/left-behind.ts"
import { ask, hear, insist, note, oneAnswer } from "../kills/requests.ts"
import type { Heard } from "../kills/requests.ts"
import { dataDir, startServer } from "../kills/server.ts"
import { startProvider } from "../provider.ts"
import type { Faults } from "../provider.ts"
import { makeChance } from "../simulation/chance.ts"
import type { Chance } from "../simulation/chance.ts"
import { misuse, oneEffect, operationOf, PATIENCE_MILLIS, prepare, verbs } from "./cases.ts"
import type { Case } from "./cases.ts"

/** Senders of each key. */
export const SENDERS = 64
const MERCHANTS = 3
/** Keys under storm at the same time. */
const AT_ONCE = 3

type Misfortune = Pick<Faults, "kind" | "probability" | "delay_ms">

const calm: Misfortune = { kind: "none", probability: 0, delay_ms: 0 }

/**
 * What goes wrong at the provider, for a share of its calls. The silence of `drop_reply` lasts until the
 * service's patience ends. An odd number, so that in time each meets every verb.
 */
const misfortunes: ReadonlyArray<Misfortune> = [
  { kind: "reset_after", probability: 0.6, delay_ms: 0 },
  { kind: "reset_before", probability: 0.6, delay_ms: 0 },
  { kind: "drop_reply", probability: 0.7, delay_ms: 0 },
  { kind: "delay_ms", probability: 1, delay_ms: 150 },
  { kind: "refuse", probability: 0.6, delay_ms: 0 }
]

const setFaults = (url: string, seed: number, faults: Misfortune) =>
  HttpClient.execute(HttpClientRequest.post(`${url}/faults`).pipe(HttpClientRequest.bodyJsonUnsafe({ ...faults, seed }))).pipe(
    Effect.flatMap((response) => response.text),
    Effect.orDie
  )

/** Hangs up a few times, then insists on an answer. */
const sender = Effect.fnUntraced(function*(url: string, heard: Heard, chance: Chance) {
  yield* Effect.sleep(chance.between(0, 40))
  for (let tries = chance.between(0, 2); tries > 0; tries--) {
    const answer = yield* Effect.timeoutOption(ask(url, heard.operation), chance.between(1, 120))
    if (answer._tag === "None") heard.counts.lost++
    else if (note(heard, answer.value)) return
  }
  yield* insist(heard, () => url, () => chance.between(50, 400), PATIENCE_MILLIS)
})

const blow = Effect.fnUntraced(function*(url: string, about: Case, seed: string) {
  const heard = hear(operationOf(about))
  const from = yield* Clock.currentTimeMillis
  yield* Effect.forEach(Array.from({ length: SENDERS }, (_, n) => n), (n) => sender(url, heard, makeChance(`${seed}/${about.name}/${n}`)), {
    concurrency: "unbounded",
    discard: true
  })
  return { about, heard, millis: (yield* Clock.currentTimeMillis) - from }
})

/** What a run of storms came to. */
export interface StormReport {
  readonly keys: number
  readonly sent: number
  readonly lost: number
  /** The longest any sender waited for its answer, milliseconds. */
  readonly longest: number
  /** The broken invariants; none when all hold. */
  readonly problems: ReadonlyArray<string>
}

/** Lets the storm blow over so many keys. `progress` hears how many are through. */
export const storm = Effect.fn("storm")(function*(seed: string, keys: number, progress: (done: number) => void = () => {}) {
  const provider = yield* startProvider(0)
  const server = yield* startServer({ providerUrl: provider.url, dataDir: yield* dataDir })
  yield* server.ready
  const { url } = server
  const merchants = yield* makeMerchants(MERCHANTS)
  const chance = makeChance(`storm/${seed}`)
  const problems: Array<string> = []
  const totals = { sent: 0, lost: 0, longest: 0, done: 0 }

  const caseOf = (n: number): Omit<Case, "target"> => {
    const [merchant, stranger] = [merchants[n % MERCHANTS], merchants[(n + 1) % MERCHANTS]]
    if (merchant === undefined || stranger === undefined) throw new RangeError("a storm needs two merchants")
    const name = `${seed}-${n}`
    return { verb: verbs[n % verbs.length] ?? "charge", merchant, stranger, key: `storm-${name}`, name }
  }

  for (let from = 0; from < keys; from += AT_ONCE) {
    const misfortune = misfortunes[Math.floor(from / AT_ONCE) % misfortunes.length] ?? calm
    const numbers = Array.from({ length: Math.min(AT_ONCE, keys - from) }, (_, n) => from + n)
    const cases = yield* Effect.forEach(numbers, (n) => prepare(url, caseOf(n)))
    yield* setFaults(provider.url, chance.between(1, 1_000_000), misfortune)
    const blown = yield* Effect.forEach(cases, (about) => blow(url, about, seed), { concurrency: "unbounded" })
    yield* setFaults(provider.url, 1, calm)
    for (const { about, heard, millis } of blown) {
      const found = [
        ...oneAnswer(heard),
        ...(yield* misuse(url, about)),
        ...(yield* oneEffect(url, provider, about, heard.answers[0]?.text ?? ""))
      ]
      problems.push(...found.map((problem) => `${problem} (${about.verb}, provider: ${misfortune.kind})`))
      totals.sent += heard.answers.length + heard.refusals.length + heard.counts.putOff + heard.counts.lost
      totals.lost += heard.counts.lost
      totals.longest = Math.max(totals.longest, millis)
      progress(++totals.done)
    }
  }
  problems.push(...(yield* leftBehind(merchants.map(({ account }) => account), provider)))
  const report: StormReport = { keys, sent: totals.sent, lost: totals.lost, longest: totals.longest, problems }
  return report
}, Effect.scoped)
