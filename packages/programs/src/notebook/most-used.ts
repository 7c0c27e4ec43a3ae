/** Exported symbols by how many places of the repository use them. */
import type { AnyFact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { memo } from "../map/memo.ts"
import { isTestFile, pathOf, type SymbolFact, usesOf } from "../map/uses.ts"

export interface Used {
  readonly symbol: SymbolFact
  /** Calls and imports outside of tests. */
  readonly uses: ReadonlyArray<AnyFact>
  readonly tests: ReadonlyArray<AnyFact>
}

const compute = (project: Project): ReadonlyArray<Used> =>
  project.facts("symbol").filter((symbol) =>
    symbol.value.exported && symbol.value.kind !== "module" && !isTestFile(project, pathOf(symbol))
  )
    .map((symbol) => {
      const { callers, importers, tests } = usesOf(project, symbol)
      return { symbol, uses: [...callers, ...importers], tests: tests }
    })
    .toSorted((one, other) => other.uses.length - one.uses.length)

/** The most used first, those of equal use in the order of their places. */
export const mostUsed: (project: Project) => ReadonlyArray<Used> = memo(compute)
