/** dark-mode-tokens.json: tokens with another value where it is dark, and how well text stands out from what is behind it. */
import { cited, jsonLines, type Value } from "../claims/json.ts"
import type { Artifact } from "../claims/model.ts"
import type { Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { searchedForMarkup, tokensOf, tokenUsesOf } from "../map/interface.ts"
import { pathOf } from "../map/uses.ts"
import { isDark, namedTokens, resolved, type TokenFact } from "./tokens.ts"

const MOST = 100

/** WCAG 2.2, relative luminance. */
const luminance = ([red, green, blue]: readonly [number, number, number]): number => {
  const linear = (channel: number): number => channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

type Components = readonly [number, number, number]

/** WCAG 2.2, contrast ratio, in hundredths, which are cut and not rounded. */
export const contrastOf = (one: Components, other: Components): number => {
  const [a, b] = [luminance(one), luminance(other)]
  return Math.floor((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) * 100)
}

const WCAG = "Text needs 450:100, large text 300:100. Source: [WCAG 2.2, contrast minimum](https://www.w3.org/TR/WCAG22/#contrast-minimum)"

interface Paint {
  readonly said: Fact<"token"> | Fact<"token-use">
  readonly token: TokenFact
}

/** Text and background that one rule sets. A rule behind another of the same selector is another rule. */
const pairs = (project: Project): ReadonlyArray<Value> => {
  const tokens = namedTokens(project)
  const plain = tokensOf(project).filter(({ subject }) => /^(?:color|background|background-color)$/u.test(subject))
  const paints: ReadonlyArray<{ readonly property: string; readonly paint: Paint }> = [
    ...plain.map((said) => ({ property: said.subject, paint: { said, token: said } })),
    ...tokenUsesOf(project).filter(({ value: { property } }) => /^(?:color|background|background-color)$/u.test(property ?? "")).flatMap(
      (said) => {
        const token = tokens.get(said.subject)
        return token === undefined ? [] : [{ property: said.value.property ?? "", paint: { said, token: resolved(tokens, token) } }]
      }
    )
  ]
  const rules = Map.groupBy(
    paints.filter(({ paint }) => !isDark(paint.said)),
    ({ paint: { said } }) => `${pathOf(said)} ${said.value.scope}`
  )
  return [...rules.values()].flatMap((rule): ReadonlyArray<Value> => {
    const texts = rule.filter(({ property }) => property === "color")
    const grounds = rule.filter(({ property }) => property !== "color")
    const [text, ground] = [texts[0]?.paint, grounds[0]?.paint]
    if (texts.length !== 1 || grounds.length !== 1 || text === undefined || ground === undefined) return []
    const [front, back] = [text.token.value.colour, ground.token.value.colour]
    if (front === undefined || back === undefined || front.alpha !== 1 || back.alpha !== 1) return []
    const ratio = contrastOf(front.components, back.components)
    return [cited(
      {
        rule: text.said.value.scope.trim(),
        text: text.token.value.value,
        behind: ground.token.value.value,
        ratio: `${ratio}:100`,
        enough: ratio >= 450 ? "for all text" : ratio >= 300 ? "for large text" : "for no text"
      },
      text.said,
      ground.said,
      text.token,
      ground.token
    )]
  }).slice(0, MOST)
}

const dark = (project: Project): ReadonlyArray<Value> => {
  const light = namedTokens(project)
  return tokensOf(project).filter(isDark).slice(0, MOST).map((token) => {
    const counterpart = light.get(token.subject)
    return cited(
      { token: token.subject, light: counterpart?.value.value, dark: token.value.value },
      token,
      ...counterpart === undefined ? [] : [counterpart]
    )
  })
}

export const darkModeTokens = (project: Project): Artifact => {
  const [darkTokens, contrasts] = [dark(project), pairs(project)]
  const hasTokens = namedTokens(project).size > 0
  return jsonLines({
    searched: `dark scopes and colours, in ${searchedForMarkup(project)} files`,
    dark: darkTokens,
    contrasts,
    ...contrasts.length === 0 ? {} : { minimum: [WCAG] },
    ...darkTokens.length === 0 && hasTokens ? { questions: ["Shall there be a dark mode? No style says what it is."] } : {}
  })
}
