/** theme.css: custom properties of the project in one place, each with where it is set; and what holds where it is dark. */
import type { CodeLine } from "../claims/comments.ts"
import { codeFile } from "../claims/comments.ts"
import { type Artifact, type Evidence, evidenceOf } from "../claims/model.ts"
import { placesOf } from "../claims/places.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { searchedForMarkup, tokensOf } from "../map/interface.ts"
import { isDark, isNamed, namedTokens, type TokenFact } from "./tokens.ts"

/** Nothing that a repository says ends a comment of CSS. */
export const cssComment = (text: string): string => `/* ${clip(text, 600).replaceAll("*/", "* /")} */`

/** A value that cannot end its declaration, open a comment or fetch anything. */
export const isSafeValue = (value: string): boolean => {
  const isPlain = /^[\w\s#%.,()+*/"'-]{1,200}$/u.test(value) && !/\/\*|\*\/|url\s*\(|expression\s*\(/iu.test(value)
  const isEven = (sign: string): boolean => (value.split(sign).length - 1) % 2 === 0
  let depth = 0
  for (const sign of value) {
    depth += sign === "(" ? 1 : sign === ")" ? -1 : 0
    if (depth < 0) return false
  }
  return isPlain && depth === 0 && isEven("\"") && isEven("'")
}

const declaration = (indent: string, token: TokenFact): CodeLine => {
  const evidence: Evidence = [token]
  return {
    text: `${indent}${token.subject.replace(/^\$/u, "--")}: ${token.value.value}; ${cssComment(placesOf(evidence).join(", "))}`,
    evidence
  }
}

const isWritable = (token: TokenFact): boolean => isNamed(token) && isSafeValue(token.value.value) && !token.value.value.includes("$")

export const themeCss = (project: Project): Artifact => {
  const inOrder = (tokens: ReadonlyArray<TokenFact>) =>
    tokens.filter(isWritable).toSorted((one, other) => byText(one.subject, other.subject))
  const all = inOrder([...namedTokens(project).values()])
  const dark = inOrder([...new Map(tokensOf(project).filter(isDark).map((token) => [token.subject, token])).values()])
  const searched = cssComment(`No custom property or variable. Searched: ${searchedForMarkup(project)} files.`)
  return codeFile([
    ...evidenceOf(all) === undefined
      ? [{ text: searched }]
      : [{ text: ":root {" }, ...all.map((one) => declaration("  ", one)), { text: "}" }],
    ...dark.length === 0 ? [] : [
      { text: "@media (prefers-color-scheme: dark) {" },
      { text: "  :root {" },
      ...dark.map((one) => declaration("    ", one)),
      { text: "  }" },
      { text: "}" }
    ]
  ])
}
