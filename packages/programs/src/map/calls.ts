/** What happens below a function: whom it calls, and what these do with the database or refuse. */
import type { Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { type SymbolFact, within } from "./uses.ts"

export interface Step {
  readonly symbol: SymbolFact | Fact<"route">
  /** The call that led here; undefined for the first. */
  readonly call: Fact<"call"> | undefined
  readonly depth: number
  /** SQL and errors within its lines. */
  readonly facts: ReadonlyArray<Fact<"sql"> | Fact<"error">>
}

const MOST_DEPTH = 4
const MOST_STEPS = 12

/** Depth first, in the order of lines, each function once; calls that lead to no known function are left out. */
export const callsBelow = (project: Project, start: SymbolFact | Fact<"route">): ReadonlyArray<Step> => {
  const seen = new Set<Fact>()
  const steps: Array<Step> = []
  const pending: Array<Omit<Step, "facts">> = [{ symbol: start, call: undefined, depth: 0 }]
  for (let step = pending.pop(); step !== undefined && steps.length < MOST_STEPS; step = pending.pop()) {
    const { depth, symbol } = step
    if (seen.has(symbol)) continue
    seen.add(symbol)
    steps.push({ ...step, facts: [...within(project, "sql", symbol), ...within(project, "error", symbol)] })
    if (depth === MOST_DEPTH) continue
    const below = within(project, "call", symbol).flatMap((call) => {
      const callee = project.links.callee(call)
      return callee === undefined || seen.has(callee) ? [] : [{ symbol: callee, call, depth: depth + 1 }]
    })
    pending.push(...below.toReversed())
  }
  return steps
}
