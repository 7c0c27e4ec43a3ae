/**
 * Decides which rails a payment tries, and in which order. Pure. The log says why each rule applied or not, and why each rail has its
 * place in the order.
 */
import type { AccountSettings, RoutingRule } from "@svc/accounts/accounts/settings"
import type { MethodType } from "./instruments.ts"
import { retryableElsewhere } from "./model.ts"
import type { DeclineCode, RailAnswer, RailName, RailOutcomeUnknown, RailUnreachable, RoutingLog } from "./model.ts"
import type { Rail } from "./rail.ts"

/** The facts of a payment that the routing rules read. */
export interface RoutingFacts {
  readonly currency: string
  /** Minor units. */
  readonly amount: number
  /** ISO 3166-1 alpha-2; null if the caller gave none. */
  readonly country: string | null
  readonly method: MethodType
  readonly metadata: Readonly<Record<string, string>>
}

/** A rail to try, and the reason for its place in the order. */
export interface RoutedRail {
  readonly rail: Rail
  /** 1 to 100. */
  readonly score: number
  readonly reason: string
}

export interface Routing {
  /** The rails to try, in order; empty if no rail accepts this payment. */
  readonly rails: ReadonlyArray<RoutedRail>
  readonly log: RoutingLog
  /** The decline code for a payment that no rail accepts. */
  readonly whenNone: DeclineCode
}

/** The first condition of the rule that does not hold; undefined when all hold. */
const mismatch = (rule: RoutingRule, facts: RoutingFacts): string | undefined => {
  if (rule.currency !== undefined && rule.currency !== facts.currency) return `currency is ${facts.currency}, not ${rule.currency}`
  if (rule.min_amount !== undefined && facts.amount < rule.min_amount) return `amount is below ${rule.min_amount}`
  if (rule.max_amount !== undefined && facts.amount > rule.max_amount) return `amount is above ${rule.max_amount}`
  if (rule.country !== undefined && rule.country !== facts.country) return `country is ${facts.country ?? "not given"}, not ${rule.country}`
  if (rule.method !== undefined && rule.method !== facts.method) return `method is ${facts.method}, not ${rule.method}`
  for (const [key, value] of Object.entries(rule.metadata ?? {})) {
    if (!Object.hasOwn(facts.metadata, key) || facts.metadata[key] !== value) return `metadata ${key} is not ${value}`
  }
  return undefined
}

/** Tries the rules up to the first that applies. */
const evaluate = (rules: AccountSettings["routing"], facts: RoutingFacts) => {
  const tried: Array<RoutingLog["rules"][number]> = []
  for (const rule of rules) {
    const why = mismatch(rule, facts)
    tried.push({ rule: rule.name, matched: why === undefined, reason: why ?? "all conditions hold" })
    if (why === undefined) return { tried, chosen: rule }
  }
  return { tried, chosen: undefined }
}

const takesMethod = (rail: Rail, facts: RoutingFacts): boolean => rail.methods.includes(facts.method)
const takesCurrency = (rail: Rail, facts: RoutingFacts): boolean => rail.currencies.length === 0 || rail.currencies.includes(facts.currency)

const ineligible = (rail: Rail, facts: RoutingFacts): string | undefined => {
  if (!takesMethod(rail, facts)) return `does not take ${facts.method}`
  return takesCurrency(rail, facts) ? undefined : `does not take ${facts.currency}`
}

const TOP_SCORE = 100
const STEP = 10

/**
 * Orders the rails: first the rails of the first rule that applies, in the rule's order, then the others in the installation's order of
 * preference. A rail that does not accept the payment's method or currency has the score 0 and is not tried.
 */
export const route = (facts: RoutingFacts, rules: AccountSettings["routing"], rails: ReadonlyArray<Rail>): Routing => {
  const { chosen, tried } = evaluate(rules, facts)
  const chosenRails: ReadonlyArray<RailName> = chosen === undefined ? [] : Array.from(new Set(chosen.rails))
  const installed = new Map(rails.map((rail) => [rail.name, rail]))
  const fallback = rails.map((rail) => rail.name).filter((name) => !chosenRails.includes(name))
  const ordered: Array<RoutedRail> = []
  const left: Array<RoutingLog["candidates"][number]> = []
  for (const name of [...chosenRails, ...fallback]) {
    const rail = installed.get(name)
    const why = rail === undefined ? "is not installed" : ineligible(rail, facts)
    if (rail === undefined || why !== undefined) {
      left.push({ rail: name, score: 0, reason: why ?? "" })
      continue
    }
    ordered.push({
      rail,
      score: Math.max(1, TOP_SCORE - STEP * ordered.length),
      reason: chosen !== undefined && chosenRails.includes(name) ? `rule ${chosen.name}` : "fallback order"
    })
  }
  return {
    rails: ordered,
    log: { rules: tried, candidates: [...ordered.map(({ rail, reason, score }) => ({ rail: rail.name, score, reason })), ...left] },
    whenNone: rails.some((rail) => takesMethod(rail, facts)) ? "currency_not_supported" : "card_not_supported"
  }
}

/**
 * Whether another rail may be tried after this outcome. Another rail is tried only if certainly nothing happened and another provider may
 * decide otherwise: never after a hard decline, and never while the outcome is unknown.
 */
export const mayTryNext = (outcome: RailAnswer | RailUnreachable | RailOutcomeUnknown): boolean =>
  outcome._tag === "RailUnreachable" || (outcome._tag === "Declined" && retryableElsewhere.has(outcome.code))
