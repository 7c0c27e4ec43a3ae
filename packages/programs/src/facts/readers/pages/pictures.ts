/** Pictures that are text: the size of an SVG, what it is called, and its colours. */
import { Parser } from "htmlparser2"
import { type AnyFact, type Fact, fact } from "../../model.ts"
import { lineAt, spanBetween } from "../../positions.ts"
import { clip } from "../../text.ts"
import { readerOf } from "../reader.ts"

const PAINTED = ["fill", "stroke", "stop-color"]
const COLOUR = /^#[0-9a-f]{3,8}$/iu
const STYLED = /(?:^|[;\s])(fill|stroke|stop-color)\s*:\s*(#[0-9a-f]{3,8})\b/giu
/** Colours of one picture that are facts: more are those of a photograph. */
const MOST = 50

/** `24` and `24px`; lengths in other units say no size in pixels. */
const pixels = (text: string | undefined): string | undefined => /^\s*(\d+(?:\.\d+)?)(?:px)?\s*$/u.exec(text ?? "")?.[1]

/** The size as it is said, where both sides are; else that of the box that is seen. */
const sizeOf = (said: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
  const [, , boxWidth, boxHeight] = (said["viewBox"] ?? "").trim().split(/[\s,]+/u)
  const sizes = [[said["width"], said["height"]], [boxWidth, boxHeight]].map((sides) => sides.map(pixels))
  const [width, height] = sizes.find((sides) => sides.every((side) => side !== undefined)) ?? []
  return width === undefined || height === undefined ? {} : { width, height }
}

const coloursOf = (said: Readonly<Record<string, string>>): ReadonlyArray<readonly [string, string]> => [
  ...PAINTED.flatMap((name) => COLOUR.test(said[name] ?? "") ? [[name, said[name] ?? ""] as const] : []),
  ...Array.from((said["style"] ?? "").slice(0, 500).matchAll(STYLED), ([, name = "", value = ""]) => [name, value] as const)
]

export const pictures = readerOf(/\.svg$/iu, (path, text) => {
  const line = lineAt(text)
  const tokens: Array<Fact<"token">> = []
  let size: Readonly<Record<string, string>> | undefined
  let end = 0
  let title = ""
  let isTitle = false
  const parser = new Parser({
    onopentag: (name, said) => {
      const span = spanBetween(path, line, parser.startIndex, parser.endIndex + 1)
      if (name === "svg" && size === undefined) [size, end] = [sizeOf(said), parser.endIndex + 1]
      isTitle = name === "title"
      for (const [property, value] of coloursOf(said)) {
        if (tokens.length < MOST) tokens.push(fact("token", property, { value: value.toLowerCase(), scope: clip(name) }, span))
      }
    },
    ontext: (data) => {
      if (isTitle && title.length < 500) title += data
    },
    onclosetag: () => {
      isTitle = false
    }
  }, { xmlMode: true })
  parser.end(text)
  const found: ReadonlyArray<AnyFact> = size === undefined
    ? []
    : [fact("element", "svg", { text: clip(title), attributes: size }, spanBetween(path, line, 0, end)), ...tokens]
  return found
})
