/** Tokens of a project: custom properties and variables of style sheets, and what holds where it is dark. */
import type { Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { tokensOf, tokenUsesOf } from "../map/interface.ts"
import { memo } from "../map/memo.ts"

export type TokenFact = Fact<"token">

export const isNamed = ({ subject }: TokenFact): boolean => /^(?:--|\$)[A-Za-z][\w-]{0,80}$/u.test(subject)

const DARK = /prefers-color-scheme:\s*dark|\.(?:theme-)?dark\b|\[data-(?:bs-)?(?:theme|mode|color-scheme|color-mode)=["']?dark/u
export const isDark = ({ value: { scope } }: Fact<"token"> | Fact<"token-use">): boolean => DARK.test(scope)

const isRoot = ({ subject, value: { scope } }: TokenFact): boolean =>
  subject.startsWith("$") ? scope === "" : /^(?::root$|:host$|html$|@theme\b|$)/u.test(scope.trim())

/** Each token by its name: as it is set for everything, else where it is set first; never where it is dark. */
export const namedTokens: (project: Project) => ReadonlyMap<string, TokenFact> = memo((project) => {
  const named = tokensOf(project).filter((token) => isNamed(token) && !isDark(token))
  return new Map([...named.toReversed(), ...named.filter(isRoot).toReversed()].map((token) => [token.subject, token]))
})

/** Values that are written without a name. */
export const plainValues: (project: Project) => ReadonlyArray<TokenFact> = memo((project) =>
  tokensOf(project).filter(({ subject }) => !subject.startsWith("--") && !subject.startsWith("$"))
)

export const usesByToken: (project: Project) => ReadonlyMap<string, ReadonlyArray<Fact<"token-use">>> = memo((project) =>
  Map.groupBy(tokenUsesOf(project), ({ subject }) => subject)
)

const REFERENCE = /^(?:var\(\s*(--[\w-]+)\s*\)|(\$[\w-]+))$/u

/** The token that a value names. */
export const referenceOf = (value: string): string | undefined => {
  const [, custom, variable] = REFERENCE.exec(value) ?? []
  return custom ?? variable
}

/** What a value comes to, through as many names as there are. */
export const resolved = (tokens: ReadonlyMap<string, TokenFact>, value: TokenFact): TokenFact => {
  let found = value
  for (let step = 0; step < 10; step++) {
    const next = tokens.get(referenceOf(found.value.value) ?? "")
    if (next === undefined) return found
    found = next
  }
  return found
}
