/** theme-guidelines.md: which tokens are used, which are not, which are missing, and where a value is written that has a name. */
import { absence, type Artifact, type Block } from "../claims/model.ts"
import { claimOf, page, rowOf, table } from "../claims/sections.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { searchedForMarkup, tokenUsesOf } from "../map/interface.ts"
import { code, count, listed } from "../map/words.ts"
import { namedTokens, plainValues, referenceOf, usesByToken } from "./tokens.ts"

const MOST = 25

const used = (project: Project): ReadonlyArray<Block> => {
  const uses = usesByToken(project)
  return table(
    ["token", "value", "for", "uses"],
    [...namedTokens(project).values()].map((token) => ({ token, uses: uses.get(token.subject) ?? [] })).filter(({ uses }) =>
      uses.length > 0
    )
      .toSorted((one, other) => other.uses.length - one.uses.length || byText(one.token.subject, other.token.subject)).slice(0, MOST)
      .flatMap(({ token, uses }) =>
        rowOf([
          code(token.subject),
          code(token.value.value),
          listed([...new Set(uses.flatMap(({ value }) => value.property ?? []))], 3),
          String(uses.length)
        ], [token, ...uses])
      )
  )
}

const unused = (project: Project): ReadonlyArray<Block> =>
  [...namedTokens(project).values()].filter(({ subject }) => !usesByToken(project).has(subject)).slice(0, MOST)
    .flatMap((token) => claimOf(`${code(token.subject)}: ${code(token.value.value)}.`, [token]))

const missing = (project: Project): ReadonlyArray<Block> =>
  Array.from(Map.groupBy(tokenUsesOf(project).filter(({ subject }) => !namedTokens(project).has(subject)), ({ subject }) => subject))
    .slice(0, MOST).flatMap(([name, uses]) => claimOf(`${code(name)}: ${count(uses.length, "use")}, set nowhere here.`, uses))

/** A plain value that a token has. */
const unnamed = (project: Project): ReadonlyArray<Block> => {
  const byValue = new Map(
    [...namedTokens(project).values()].filter(({ value }) => referenceOf(value.value) === undefined).map((
      one
    ) => [one.value.value.toLowerCase(), one])
  )
  const groups = Map.groupBy(plainValues(project).filter(({ value }) => value.value !== "0"), ({ value }) => value.value.toLowerCase())
  return [...groups].flatMap(([value, group]): ReadonlyArray<Block> => {
    const token = byValue.get(value)
    if (token !== undefined) {
      return claimOf(`${code(value)} is ${code(token.subject)}, and written plainly ${count(group.length, "time")}.`, [...group, token])
    }
    return group.length < 2
      ? []
      : claimOf(
        `${code(value)} of ${listed([...new Set(group.map(({ subject }) => subject))], 3)} has no name, and is written ${
          count(group.length, "time")
        }.`,
        group
      )
  }).slice(0, MOST)
}

export const themeGuidelines = (project: Project): Artifact => {
  const files = searchedForMarkup(project)
  return page(`${project.description.project_name}: tokens of its styles`, [
    { title: "Used", blocks: used(project), none: absence("No token in use.", files) },
    { title: "Unused", blocks: unused(project) },
    { title: "Missing", blocks: missing(project), none: absence("No missing token.", files) },
    { title: "Values", blocks: unnamed(project), none: absence("No value written plainly.", files) }
  ])
}
