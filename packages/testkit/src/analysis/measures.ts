/** What tells an analysis from a template, measured: citations, deletions, planted facts, names, shared sequences, questions. */
import type { MadeArtifact } from "@svc/programs/confined/model"
import type { AnyFact } from "@svc/programs/facts/model"
import { loadTokenizer, tokensIn } from "@svc/programs/facts/tokens"
import { citedShare, sharedSequences, unitsOf, unknownNames } from "@svc/programs/testing/measures"
import { type Analyzed, makeArtifacts, readFiles } from "./analyze.ts"
import type { Key, PlantedQuestion } from "./key.ts"
import { type Files, lineOf } from "./projects.ts"

export interface Share {
  readonly held: number
  readonly all: number
  /** What did not hold, in words. */
  readonly misses: ReadonlyArray<string>
}

const shareOf = <A>(values: ReadonlyArray<A>, holds: (value: A) => boolean, words: (value: A) => string): Share => {
  const misses = values.filter((value) => !holds(value))
  return { held: values.length - misses.length, all: values.length, misses: misses.map(words) }
}

/** Texts of formats whose claims are sentences or items. Types, scripts and styles are judged by their own tools. */
const isText = (path: string): boolean => /\.(?:md|json|ya?ml)$|^\.cursorrules$/u.test(path)

/** Paragraphs, items and rows whose citation resolves and whose lines hold a word of it. */
export const cited = ({ artifacts }: Analyzed, files: Files): Share => {
  const units = artifacts.filter(({ path }) => isText(path)).flatMap((artifact) =>
    unitsOf(artifact.path, artifact, files).map((unit) => ({ path: artifact.path, unit }))
  )
  return shareOf(units, ({ unit }) => citedShare([unit]) === 1, ({ path, unit }) => `${path}:${unit.line}: ${unit.text.slice(0, 160)}`)
}

/** Words of commands and of formats that programs write by rules of their own: `npm run test`, `Bash(npm run lint:*)`. */
const COMMAND_WORDS: ReadonlySet<string> = new Set([
  ..."npm npx pnpm yarn bun run node make cargo gradle mvn just go uv poetry exec".split(" "),
  ..."install pip cache dir download sync frozen active".split(" "),
  ..."test tests build package pytest jest vitest mocha Bash Edit Read Dtest".split(" ")
])

/** Names of tools join words by `_`. A `$` at the end is of a pattern, as in `-run '^TestPay$'`. */
const WORD = /[\p{L}$][\p{L}\p{N}$]+[\p{L}\p{N}]|\d+\.\d+(?:\.\d+)?/gu

/** Names, addresses and versions with a word that no fact holds. */
export const unknown = ({ artifacts, facts }: Analyzed, allowed: ReadonlyArray<string>): ReadonlyArray<string> => {
  const known = new Set(Array.from(`${JSON.stringify(facts)} ${allowed.join(" ")}`.matchAll(WORD), ([word]) => word.toLowerCase()))
  const isUnknown = (name: string) =>
    Array.from(name.matchAll(WORD)).some(([word]) => !known.has(word.toLowerCase()) && !COMMAND_WORDS.has(word))
  return artifacts.filter(({ path }) => isText(path)).flatMap((artifact) =>
    unknownNames(artifact, facts, allowed).filter(isUnknown).map((name) => `${artifact.path}: ${name}`)
  )
}

const covers = (fact: AnyFact, path: string, line: number): boolean =>
  fact.evidence.some((span) => span.path === path && span.start_line <= line && line <= span.end_line)

export const planted = ({ facts }: Analyzed, files: Files, key: Key): Share =>
  shareOf(
    key.facts,
    ([kind, subject, path, snippet]) =>
      facts.some((fact) => fact.kind === kind && fact.subject === subject && covers(fact, path, lineOf(files, path, snippet))),
    ([kind, subject, path]) => `${kind} ${subject} of ${path}`
  )

const ASKED = ["context-map.json", "symbol-index.json", "AGENTS.md"]
const FIRST_LINES = 5

/** Places as artifacts write them: `path:12` or `path:12-18`. */
const names = (line: string, path: string, at: number): boolean =>
  Array.from(line.matchAll(/([^\s`"',()]+):(\d+)(?:-(\d+))?/gu)).some(([, place, start, end = start]) =>
    place === path && Number(start) <= at && at <= Number(end)
  )

const holdsWords = (line: string, words: ReadonlyArray<string>): boolean => {
  const lower = line.toLowerCase()
  return words.every((word) => lower.includes(word))
}

const askedWords = (words: string): ReadonlyArray<string> => words.toLowerCase().split(" ").map((word) => word.replace(/s$/u, ""))

/** Lines that hold each word of the question; after them those that hold the thing's name alone, which is all but the first word. */
const linesWith = (text: string, asked: ReadonlyArray<string>): ReadonlyArray<string> => {
  const lines = text.split("\n")
  return [...lines.filter((line) => holdsWords(line, asked)), ...lines.filter((line) => holdsWords(line, asked.slice(1)))]
}

interface Answer {
  readonly found: boolean
  /** What is read of the artifacts, one after another, to the line that answers, or in vain. */
  readonly read: ReadonlyArray<string>
}

const answerOf = (artifacts: ReadonlyArray<MadeArtifact>, files: Files, [words, path, snippet]: PlantedQuestion): Answer => {
  const asked = askedWords(words)
  const at = lineOf(files, path, snippet)
  const texts = ASKED.map((name) => artifacts.find((artifact) => artifact.path === name)?.text ?? "")
  const rows = texts.flatMap((text) => linesWith(text, asked).slice(0, FIRST_LINES))
  const answering = rows.findIndex((row) => names(row, path, at))
  return { found: answering >= 0, read: answering < 0 ? rows : rows.slice(0, answering + 1) }
}

export const answered = ({ artifacts }: Analyzed, files: Files, { questions }: Key): Share =>
  shareOf(questions, (question) => answerOf(artifacts, files, question).found, ([words, path]) => `${words}: ${path}`)

/** Tokens of o200k that a reader takes in to the answers, over those of the files that a search for the same words names. */
export interface Reading {
  readonly artifacts: number
  readonly files: number
  /** Questions whose answer took more than half of what the files would have taken. */
  readonly losses: ReadonlyArray<string>
}

export const reading = async ({ artifacts }: Analyzed, files: Files, { questions }: Key): Promise<Reading> => {
  const tokenizer = await loadTokenizer()
  const tokens = (texts: ReadonlyArray<string>) => texts.reduce((sum, text) => sum + tokensIn(tokenizer, text), 0)
  const each = questions.map((question) => {
    const asked = askedWords(question[0])
    const searched = (words: ReadonlyArray<string>) =>
      Object.values(files).filter((text) => text.split("\n").some((line) => holdsWords(line, words)))
    const exact = searched(asked)
    return {
      question: question[0],
      artifacts: tokens(answerOf(artifacts, files, question).read),
      files: tokens(exact.length > 0 ? exact : searched(asked.slice(1)))
    }
  })
  return {
    artifacts: each.reduce((sum, one) => sum + one.artifacts, 0),
    files: each.reduce((sum, one) => sum + one.files, 0),
    losses: each.filter((one) => one.artifacts > one.files / 2)
      .map((one) => `${one.question}: ${one.artifacts} tokens of artifacts, ${one.files} of files`)
  }
}

/** Of artifacts with evidence in both, the sequences of five words that the shorter shares. */
export const shared = (one: Analyzed, other: Analyzed): ReadonlyArray<{ readonly path: string; readonly share: number }> =>
  one.artifacts.flatMap((artifact) => {
    const twin = other.artifacts.find(({ path }) => path === artifact.path)
    return twin === undefined || artifact.evidence === "none" || twin.evidence === "none"
      ? []
      : [{ path: artifact.path, share: sharedSequences(artifact.text, twin.text) }]
  })

interface Deletion {
  readonly artifact: string
  readonly text: string
  readonly spans: ReadonlyArray<{ readonly path: string; readonly start_line: number; readonly end_line: number }>
}

const withoutPlaces = (text: string): string => text.replaceAll(/[^\s`"',()]+:\d+(?:-\d+)?/gu, "")

/** Claims with their lines, of all artifacts in turn, so that each has its share. */
const deletions = ({ artifacts }: Analyzed, files: Files, most: number): ReadonlyArray<Deletion> => {
  const queues = artifacts.filter(({ path }) => isText(path)).map((artifact) =>
    unitsOf(artifact.path, artifact, files).filter(({ resolves }) => resolves).map(({ line, text }) => ({
      artifact: artifact.path,
      text: withoutPlaces(text),
      spans: artifact.citations.filter(({ at }) => at === line)
    })).filter(({ spans }) => spans.length > 0)
  )
  const longest = Math.max(0, ...queues.map(({ length }) => length))
  return Array.from({ length: longest }, (_, turn) => queues.flatMap((queue) => queue[turn] ?? [])).flat().slice(0, most)
}

const withoutLines = (files: Files, { spans }: Deletion): Files => {
  const changed = Object.fromEntries(spans.map(({ path }) => [
    path,
    (files[path] ?? "").split("\n")
      .filter((_, at) => !spans.some((span) => span.path === path && span.start_line <= at + 1 && at + 1 <= span.end_line)).join("\n")
  ]))
  return { ...files, ...changed }
}

/** Claims that vanish or change when the lines that they cite are deleted. */
export const vanished = async (name: string, analyzed: Analyzed, files: Files, most: number): Promise<Share> => {
  const outcomes: Array<{ readonly deletion: Deletion; readonly gone: boolean }> = []
  for (const deletion of deletions(analyzed, files, most)) {
    const changed = withoutLines(files, deletion)
    const paths = new Set(deletion.spans.map(({ path }) => path))
    const read = await readFiles(changed, new Map([...analyzed.read].filter(([path]) => !paths.has(path))))
    const text = makeArtifacts(name, read).find(({ path }) => path === deletion.artifact)?.text ?? ""
    const lines = new Set(text.split("\n").map(withoutPlaces))
    outcomes.push({ deletion, gone: !lines.has(deletion.text) })
  }
  return shareOf(outcomes, ({ gone }) => gone, ({ deletion }) => `${deletion.artifact}: ${deletion.text.slice(0, 160)}`)
}
