/** A thread that makes vectors of texts by a table of words. The table is 300 MB of JSON: only where each word's row stands is kept. */
import { closeSync, openSync, readFileSync, readSync } from "node:fs"
import { parentPort, workerData } from "node:worker_threads"
import { normalized } from "./hash-ngram.ts"

const { file }: { readonly file: string } = workerData

const DIMENSIONS = 100
const WORD = /[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu
const [QUOTE, BACKSLASH, END] = [34, 92, 93]

/** Where the string ends that begins at `at` with its quote. */
const endOfString = (bytes: Buffer, at: number): number => {
  let end = at + 1
  while (bytes[end] !== QUOTE) end += bytes[end] === BACKSLASH ? 2 : 1
  return end + 1
}

/** Where the numbers of each word begin, of `"vectors":{"the":[…],"of":[…]}`. */
const rowsIn = (bytes: Buffer): ReadonlyMap<string, number> => {
  const rows = new Map<string, number>()
  let at = bytes.indexOf("\"vectors\":{") + "\"vectors\":{".length
  while (bytes[at] === QUOTE) {
    const end = endOfString(bytes, at)
    // A word with a backslash is punctuation, which no text is asked for.
    rows.set(bytes.toString("utf8", at + 1, end - 1), end + ":[".length)
    // The bracket that ends the row, and a comma.
    at = bytes.indexOf(END, end) + 2
  }
  return rows
}

const rows = rowsIn(readFileSync(file))
const table = openSync(file, "r")
process.once("exit", () => closeSync(table))
/** Longer than any row. */
const row = Buffer.alloc(4096)

const read = (position: number): ReadonlyArray<number> => {
  readSync(table, row, 0, row.length, position)
  return row.toString("latin1", 0, row.indexOf(END)).split(",", DIMENSIONS).map(Number)
}

/** A compound that is not in the table counts as its parts. */
const positionsOf = (word: string): ReadonlyArray<number> => {
  const position = rows.get(word)
  return position === undefined ? word.split(/['’-]/u).flatMap((part) => rows.get(part) ?? []) : [position]
}

/** The mean of the words' vectors, at length 1; null for a text without a known word. */
const vectorOf = (text: string, known: Map<number, ReadonlyArray<number>>): ReadonlyArray<number> | null => {
  const sum = Array.from({ length: DIMENSIONS }, () => 0)
  for (const [word] of text.normalize("NFKC").toLowerCase().matchAll(WORD)) {
    for (const position of positionsOf(word)) {
      const vector = known.get(position) ?? read(position)
      known.set(position, vector)
      vector.forEach((value, at) => {
        sum[at] = (sum[at] ?? 0) + value
      })
    }
  }
  return normalized(sum) ?? null
}

parentPort?.on("message", (texts: ReadonlyArray<string>) => {
  const known = new Map<number, ReadonlyArray<number>>()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A port of threads has no origins.
  parentPort?.postMessage(texts.map((text) => vectorOf(text, known)))
})
