/** Colours and fonts that a project's styles and pictures name. */
import type { Fact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { memo } from "./memo.ts"
import { isTestFile, pathOf } from "./uses.ts"

export interface Swatch {
  /** In small letters; `#fff` is `#ffffff`. */
  readonly value: string
  /** As its first token writes it. */
  readonly written: string
  /** Names of custom properties and variables that hold it. */
  readonly names: ReadonlyArray<string>
  readonly tokens: ReadonlyArray<Fact<"token">>
}

const COLOUR = /#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\([^()]*\)/giu

const whole = (colour: string): string => {
  const lower = colour.toLowerCase()
  return /^#[0-9a-f]{3,4}$/u.test(lower) ? `#${Array.from(lower.slice(1), (digit) => digit + digit).join("")}` : lower
}

const isNamed = (subject: string): boolean => subject.startsWith("--") || subject.startsWith("$")

const tokensOf = (project: Project): ReadonlyArray<Fact<"token">> =>
  project.facts("token").filter((token) => !isTestFile(project, pathOf(token)))

/** A token, and the spelling of the value in it. */
interface Use {
  readonly token: Fact<"token">
  readonly written: string
}

const swatches = (groups: Iterable<readonly [string, ReadonlyArray<Use>]>): ReadonlyArray<Swatch> =>
  Array.from(groups, ([value, uses]) => ({ value, written: uses[0]?.written ?? value, tokens: uses.map(({ token }) => token) })).map((
    swatch
  ) => ({
    ...swatch,
    names: [...new Set(swatch.tokens.map(({ subject }) => subject).filter(isNamed))]
  })).toSorted((one, other) =>
    Math.min(1, other.names.length) - Math.min(1, one.names.length) || other.tokens.length - one.tokens.length ||
    byText(one.value, other.value)
  )

/** Those with a name first, then those that are written most. */
export const coloursOf: (project: Project) => ReadonlyArray<Swatch> = memo((project) => {
  const uses = tokensOf(project).flatMap((token) =>
    Array.from(token.value.value.matchAll(COLOUR), ([colour]) => ({ written: colour, token }))
  )
  return swatches(Map.groupBy(uses, ({ written }) => whole(written)))
})

/** Tokens by their whole values. */
const byValue = (tokens: ReadonlyArray<Fact<"token">>): Map<string, ReadonlyArray<Use>> =>
  Map.groupBy(tokens.map((token) => ({ written: token.value.value, token })), ({ written }) => written)

const FONT = /^(?:font-family$|(?:--|\$)(?:[\w-]*-)?font(?:-|$))/iu

export const fontsOf: (project: Project) => ReadonlyArray<Swatch> = memo((project) => {
  const fonts = tokensOf(project).filter(({ subject, value }) =>
    FONT.test(subject) && /[a-z]{3}/iu.test(value.value) && !/^[\d.]/u.test(value.value)
  )
  return swatches(byValue(fonts))
})

/** Sizes of letters, as they are written. */
export const fontSizesOf: (project: Project) => ReadonlyArray<Swatch> = memo((project) =>
  swatches(byValue(tokensOf(project).filter(({ subject }) => subject === "font-size")))
)
