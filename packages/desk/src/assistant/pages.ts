/** Pages of the documentation in pieces, one a heading, for questions that no topic answers. */
import { Effect, FileSystem, Path } from "effect"
import { wordsOf } from "./question.ts"
import type { Row } from "./read.ts"

export interface Piece {
  /** Such as `docs/guides/pay-out.md`, or the address of the reference. */
  readonly file: string
  readonly heading: string
  /** Its first paragraph. */
  readonly text: string
  readonly words: ReadonlyArray<string>
}

/** Which pages are read: those for people who use the service. */
const FOLDERS = ["docs", "docs/guides", "packages/webhooks", "packages/checkout"]

const plain = (markdown: string): string =>
  markdown.replaceAll(/\[([^[\]]*)\]\([^()]*\)/gu, "$1").replaceAll(/[`*]/gu, "").replaceAll(/\s+/gu, " ").trim()

/** The first paragraph that is no table, list of code, or picture. */
const paragraphOf = (body: string): string =>
  plain(body.split(/\n\s*\n/u).find((part) => /^\s*[A-Za-z"`[]/u.test(part)) ?? "").slice(0, 600)

export const piecesOf = (file: string, markdown: string): ReadonlyArray<Piece> => {
  const text = markdown.replaceAll(/^```[^`]*```$/gmu, "")
  const [title = ""] = /^# .*$/mu.exec(text) ?? []
  return text.split(/^(?=#{1,3} )/mu).flatMap((part) => {
    const [head = "", ...rest] = part.split("\n")
    const paragraph = paragraphOf(rest.join("\n"))
    const heading = plain(head.replace(/^#+ /u, ""))
    return paragraph === "" ? [] : [{ file, heading, text: paragraph, words: wordsOf(`${title} ${heading} ${paragraph}`) }]
  })
}

/** All pieces; none where the pages were not shipped. */
export const readPages = Effect.gen(function*() {
  const [files, path] = [yield* FileSystem.FileSystem, yield* Path.Path]
  const root = path.join(import.meta.dirname, "..", "..", "..", "..")
  const names = yield* Effect.forEach(
    FOLDERS,
    (folder) =>
      Effect.map(
        Effect.orElseSucceed(files.readDirectory(path.join(root, folder)), () => []),
        (found) => found.filter((name) => name.endsWith(".md")).map((name) => `${folder}/${name}`)
      )
  )
  return (yield* Effect.forEach(
    names.flat(),
    (name) => Effect.map(Effect.orElseSucceed(files.readFileString(path.join(root, name)), () => ""), (text) => piecesOf(name, text))
  )).flat()
})

const isRow = (value: unknown): value is Row => typeof value === "object" && value !== null && !Array.isArray(value)

const rowsOf = (value: unknown): ReadonlyArray<readonly [string, Row]> =>
  isRow(value) ? Object.entries(value).flatMap(([name, row]) => isRow(row) ? [[name, row] as const] : []) : []

/** What each operation of the contract does: how something is done is most often one of them, and never by the sums of a list. */
export const operationsOf = ({ paths }: Row): ReadonlyArray<Piece> =>
  rowsOf(paths).filter(([path]) => !path.endsWith("/sums")).flatMap(([path, methods]) =>
    rowsOf(methods).flatMap(([method, { description, summary }]) => {
      if (typeof summary !== "string" || typeof description !== "string") return []
      const text = `${method.toUpperCase()} ${path}: ${plain(description)}`
      return [{ file: "/docs", heading: summary, text, words: wordsOf(`${summary} ${description}`) }]
    })
  )
