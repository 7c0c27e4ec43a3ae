/** What befalls one call: a plan that follows from the seed alone. The combinations are gone through in turn, the rest is chance. */
import { makeChance } from "../simulation/chance.ts"
import type { Fault, Manner } from "./facilitator.ts"
import { type Kind, kinds } from "./wallet.ts"

/** Where the reply, or the process that was to give it, is lost. */
export const points = [
  "before verification",
  "after verification",
  "after hold",
  "during run",
  "after run",
  "after money taken",
  "before body",
  "mid-body"
] as const
export type Point = typeof points[number]

/** A stock client sends the same payment again; a careless agent begins anew, and signs afresh each time. */
export const agents = ["stock", "careless"] as const
export type Agent = typeof agents[number]

export interface Plan {
  readonly seed: string
  /** Chooses kind, point and agent. */
  readonly number: number
  readonly kind: Kind
  readonly agent: Agent
  readonly point: Point
  readonly tool: "look_up" | "act"
  /** Whether a key says whose call it is. */
  readonly known: boolean
  /** `Idempotency-Key`, which a stock client keeps. */
  readonly keyed: boolean
  /** Whether the wallet names its payment (`payment-identifier`). */
  readonly identified: boolean
  /** Whether the process dies, where it could also be the connection that breaks. */
  readonly dies: boolean
  /** Whether the first commit that falls under it is written before the process dies. */
  readonly written: boolean
  readonly manner: Manner
  /** What befalls each settlement in turn. */
  readonly faults: ReadonlyArray<Fault>
  /** The process that takes over dies, too, at its commit of this number. */
  readonly second: number | undefined
  readonly fails: boolean
  /** Seconds that the client waits between two tries, in turn. */
  readonly waits: ReadonlyArray<number>
}

const faults: ReadonlyArray<Fault> = ["reset before", "reset after", "500 before", "500 after", "refused"]

export const plan = (seed: string, number: number): Plan => {
  const chance = makeChance(`lost replies/${seed}`)
  const kind = kinds[number % kinds.length] ?? "card"
  const point = points[Math.floor(number / kinds.length) % points.length] ?? "mid-body"
  const agent = agents[Math.floor(number / (kinds.length * points.length)) % agents.length] ?? "stock"
  const card = kind.endsWith("card")
  return {
    seed,
    number,
    kind,
    agent,
    point,
    tool: chance.pick(["look_up", "act"]),
    // Of a card that nobody known pays with, nobody can tell whose it is.
    known: (card && agent === "careless") || chance.happens(0.5),
    keyed: agent === "stock" && chance.happens(0.3),
    identified: chance.happens(0.3),
    dies: chance.happens(0.6),
    written: chance.happens(0.5),
    manner: chance.pick(["idempotent", "used", "used", "misleading"]),
    faults: chance.happens(0.5) ? [] : Array.from({ length: chance.between(1, 3) }, () => chance.pick(faults)),
    second: chance.happens(0.3) ? chance.between(0, 5) : undefined,
    fails: chance.happens(0.06),
    // Ten minutes after a call, a fresh signature is for another one. The same signature never is, also when it has expired.
    waits: Array.from({ length: 4 }, () => chance.pick([0, 1, 3, 31, 70, 400, agent === "stock" ? 700 : 3]))
  }
}
