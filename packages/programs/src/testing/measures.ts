/** Measures of an artifact against the repository that it is about: what tells it from a template. Tests use them. */
import type { Artifact, Citation } from "../claims/model.ts"
import { placeOf } from "../claims/places.ts"
import type { AnyFact } from "../facts/model.ts"

/** Texts of a repository's files by path. */
export type Texts = Readonly<Record<string, string>>

/** A paragraph, an item, a row or, of JSON, a line, that is long enough to say something. */
export interface Unit {
  readonly line: number
  readonly text: string
  /** It has a citation whose lines are there. */
  readonly resolves: boolean
  /** Those lines hold a word of the unit. */
  readonly worded: boolean
}

/** Shorter units say too little to be held to a place. */
const SHORT = 40

const WORD = /[\p{L}_$][\p{L}\p{N}_$]{2,}/gu
const wordsOf = (text: string): ReadonlyArray<string> => Array.from(text.toLowerCase().matchAll(WORD), ([word]) => word)

const linesOf = (text: string): ReadonlyArray<string> => text.split("\n")

const spanText = (texts: Texts, { end_line, path, start_line }: Citation): string | undefined => {
  const lines = linesOf(texts[path] ?? "")
  const there = Object.hasOwn(texts, path) && start_line >= 1 && start_line <= end_line && end_line <= lines.length
  return there ? lines.slice(start_line - 1, end_line).join("\n") : undefined
}

const ITEM = /^\s*(?:[-*]|\d+\.) /u
const RULER = /^\|[-|: ]+\|$/u

/** Markdown's paragraphs, items and rows, by their first and last line. Headings, heads of tables and fenced text are none. */
const blocksOf = (lines: ReadonlyArray<string>): ReadonlyArray<readonly [first: number, last: number]> => {
  const blocks: Array<[number, number]> = []
  let fenced = false
  let open = false
  lines.forEach((line, at) => {
    const fence = /^`{3,}/u.test(line)
    if (fence) fenced = !fenced
    const head = line.startsWith("|") && RULER.test(lines[at + 1] ?? "")
    if (fence || fenced || line.trim() === "" || line.startsWith("#") || RULER.test(line) || head) {
      open = false
      return
    }
    const last = blocks.at(-1)
    if (open && last !== undefined && !ITEM.test(line) && !line.startsWith("|")) last[1] = at
    else blocks.push([at, at])
    open = true
  })
  return blocks
}

/** The line of JSON text that an element of a list one level down stands in; such lists are written an element a line. */
const pointerPrefix = (path: string): string => path.split("/").slice(0, 3).join("/")

const markdownUnits = (artifact: Artifact) => {
  const lines = linesOf(artifact.text)
  return blocksOf(lines).map(([first, last]) => ({
    line: first + 1,
    text: lines.slice(first, last + 1).join(" "),
    citations: artifact.citations.filter(({ at }) => typeof at === "number" && at > first && at <= last + 1)
  }))
}

/** Elements of JSON's lists by their pointers, such as `/symbols/3`. */
const jsonUnits = (artifact: Artifact) => {
  const units: Array<{ line: number; text: string; citations: ReadonlyArray<Citation> }> = []
  const cited = Map.groupBy(artifact.citations, ({ at }) => pointerPrefix(String(at)))
  let [list, index] = ["", 0]
  linesOf(artifact.text).forEach((text, at) => {
    const opened = /^"([^"]+)": \[$/u.exec(text)?.[1]
    if (opened !== undefined) [list, index] = [opened, 0]
    else if (text.startsWith("{\"")) units.push({ line: at + 1, text, citations: cited.get(`/${list}/${index++}`) ?? [] })
  })
  return units
}

/** YAML's lines that end with a place. */
const yamlUnits = (artifact: Artifact) =>
  linesOf(artifact.text).map((text, at) => ({ line: at + 1, text, citations: artifact.citations.filter((one) => one.at === at + 1) }))
    .filter(({ text }) => text.trim() !== "" && !text.startsWith("#"))

const unitsByFormat = (path: string, artifact: Artifact) =>
  path.endsWith(".json") ? jsonUnits(artifact) : /\.ya?ml$/u.test(path) ? yamlUnits(artifact) : markdownUnits(artifact)

/** Says where the artifact says it has searched, or asks: what has no place, and says so. */
const isNoClaim = (text: string): boolean => /Searched: |^- Question: |Source: \[|"searched":/u.test(text)

export const unitsOf = (path: string, artifact: Artifact, texts: Texts): ReadonlyArray<Unit> =>
  unitsByFormat(path, artifact).filter(({ text }) => text.length > SHORT && !isNoClaim(text)).map(({ citations, line, text }) => {
    const said = citations.reduce((rest, citation) => rest.replaceAll(placeOf(citation), " "), text)
    const spans = citations.flatMap((citation) => spanText(texts, citation) ?? [])
    const words = new Set(spans.flatMap(wordsOf))
    return { line, text, resolves: spans.length > 0, worded: wordsOf(said).some((word) => words.has(word)) }
  })

/** The part of the units that is cited as it must be, from 0 to 1; 1 where there are none. */
export const citedShare = (units: ReadonlyArray<Unit>): number =>
  units.length === 0 ? 1 : units.filter(({ resolves, worded }) => resolves && worded).length / units.length

const NAMES = /`([^`\n]+)`|(https?:\/\/[^\s)>"`\]]+)|(?<![\w.])(\d+\.\d+(?:\.\d+)?)(?![\w])/gu

/** Names in backticks, addresses and versions that stand in no fact and in no place. Counts are worked out, and not looked up. */
export const unknownNames = (
  artifact: Artifact,
  facts: ReadonlyArray<AnyFact>,
  allowed: ReadonlyArray<string> = []
): ReadonlyArray<string> => {
  const known = `${JSON.stringify(facts)}\n${facts.flatMap(({ evidence }) => evidence.map(placeOf)).join("\n")}\n${allowed.join("\n")}`
  const unescaped = known.replaceAll("\\\"", "\"").replaceAll("\\\\", "\\")
  const prose = linesOf(artifact.text).filter((line) => !line.includes("Source: [")).join("\n").replaceAll(/^`{3,}[\s\S]*?^`{3,}$/gmu, "")
  const names = Array.from(prose.matchAll(NAMES), ([, ticked, address, version]) => ticked ?? address ?? version ?? "")
  // Of a text that was cut the last word may be half of one.
  return [...new Set(names.map((name) => name.replaceAll("\\|", "|").replaceAll(/\S*…/gu, "").trim()))]
    .filter((name) => !known.includes(name) && !unescaped.includes(name))
}

const SEQUENCE = 5

const sequencesOf = (text: string): ReadonlySet<string> => {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_$]+/gu) ?? []
  return new Set(words.slice(SEQUENCE - 1).map((_, at) => words.slice(at, at + SEQUENCE).join(" ")))
}

/** Which part of the shorter text's sequences of five words the other has too. */
export const sharedSequences = (one: string, other: string): number => {
  const [shorter, longer] = [sequencesOf(one), sequencesOf(other)].toSorted((a, b) => a.size - b.size)
  if (shorter === undefined || longer === undefined || shorter.size === 0) return 0
  return Array.from(shorter).filter((sequence) => longer.has(sequence)).length / shorter.size
}
