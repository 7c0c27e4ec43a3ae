/** design-tokens.json: the tokens of style sheets in the format of the Design Tokens Community Group, 2025.10. */
import { cited, json, type Value } from "../claims/json.ts"
import type { Artifact } from "../claims/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { searchedForMarkup } from "../map/interface.ts"
import { namedTokens, referenceOf, resolved, type TokenFact } from "./tokens.ts"

interface Typed {
  readonly type: string
  readonly value: Value
}

/** Without the signs before it; the format forbids `.`, `{` and `}`, and names that begin with `$`. */
const nameOf = ({ subject }: TokenFact): string => subject.replace(/^(?:--|\$)/u, "")

const FAMILY = /^(?:"[^"]+"|'[^']+'|[A-Za-z-][\w -]*)$/u

/** What the format has a type for; undefined for everything else. */
const typed = ({ subject, value: { colour, value } }: TokenFact): Typed | undefined => {
  if (colour !== undefined) {
    const hex = /^#[0-9a-f]{6}$/iu.test(value) ? { hex: value.toLowerCase() } : {}
    const alpha = colour.alpha === 1 ? {} : { alpha: colour.alpha }
    return { type: "color", value: { colorSpace: colour.space, components: colour.components, ...alpha, ...hex } }
  }
  const [, number, unit] = /^(-?\d{0,9}\.?\d{1,9})(px|rem|ms|s)?$/u.exec(value) ?? []
  if (number !== undefined && (unit === "px" || unit === "rem")) return { type: "dimension", value: { value: Number(number), unit } }
  if (number !== undefined && unit !== undefined) return { type: "duration", value: { value: Number(number), unit } }
  if (number !== undefined) {
    const isWeight = /weight/u.test(subject) && Number(number) >= 1 && Number(number) <= 1000
    return { type: isWeight ? "fontWeight" : "number", value: Number(number) }
  }
  const names = value.split(",").map((name) => name.trim())
  return names.length > 1 && names.every((name) => FAMILY.test(name))
    ? { type: "fontFamily", value: names.map((name) => name.replaceAll(/^["']|["']$/gu, "")) }
    : undefined
}

export const designTokens = (project: Project): Artifact => {
  const tokens = namedTokens(project)
  const entries = [...tokens.values()].toSorted((one, other) => byText(one.subject, other.subject)).flatMap((token) => {
    const target = resolved(tokens, token)
    const known = typed(target)
    if (known === undefined) return []
    const reference = tokens.get(referenceOf(token.value.value) ?? "")
    const value = reference === undefined ? known.value : `{${known.type}.${nameOf(reference)}}`
    return [{ group: known.type, name: nameOf(token), member: cited({ $value: value }, token) }]
  })
  const groups = Array.from(Map.groupBy(entries, ({ group }) => group)).toSorted(([one], [other]) => byText(one, other)).map((
    [type, group]
  ) => [type, { $type: type, ...Object.fromEntries(group.map(({ member, name }) => [name, member])) }] as const)
  const searched = `Searched: custom properties and variables, in ${searchedForMarkup(project)} files.`
  return json({ ...Object.fromEntries(groups), ...groups.length === 0 ? { $description: searched } : {} })
}
