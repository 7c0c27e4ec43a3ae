/** The engine that a confined child runs over files: facts out. */
import { deflateRawSync, inflateRawSync } from "node:zlib"
import { inTime, type Step, TooSlow } from "../facts/deadline.ts"
import { fileFact } from "../facts/files.ts"
import { isAbort, loadGrammar } from "../facts/grammars.ts"
import type { AnyFact, Reader } from "../facts/model.ts"
import { grammarsOf, readers } from "../facts/readers.ts"
import { factsText } from "../facts/stored.ts"
import { clip } from "../facts/text.ts"
import type { ReadAnswer } from "./model.ts"
import { unpack } from "./pack.ts"

/** Bytes of a file. A larger one was skipped before. */
const MOST = 1024 * 1024

/** Facts of a file, and how long their JSON is: nobody writes a file that has more. */
const MOST_FACTS = 20_000
const MOST_JSON = 8 * 1024 * 1024

/** Facts are packed for a pipe, and kept for a while: the lowest level takes a third of the time of the usual one. */
const LEVEL = 1

/** The file whose parser stopped. From then on this process parses nothing. */
let aborted: string | undefined

interface Found {
  /** JSON of the facts; that the file is there is the first of them. */
  readonly json: string
  /** Why these are not all facts of the file. */
  readonly reason: string | undefined
}

const bounded = (facts: ReadonlyArray<AnyFact>, reason: string | undefined): Found => {
  const json = factsText(facts.slice(0, MOST_FACTS))
  if (json.length > MOST_JSON) return { json: factsText(facts.slice(0, 1)), reason: "not read: its facts are too long" }
  return { json, reason: facts.length > MOST_FACTS ? `read in part: only its first ${MOST_FACTS} facts` : reason }
}

/** A file that is being read. */
interface Reading {
  readonly path: string
  /** Undefined where the file was not opened. */
  text: string | undefined
  /** The facts that each reader found. */
  readonly facts: Array<ReadonlyArray<AnyFact>>
  readonly pending: Array<Promise<void>>
  reason: string | undefined
}

const giveUp = (reading: Reading) => (error: unknown): void => {
  reading.reason ??= `not read: ${clip(error instanceof Error ? error.message : String(error))}`
  if (isAbort(error)) aborted = reading.path
}

/** The steps to the facts of a file, a reader each. Where one gives up, the others are asked nevertheless. */
const stepsOf = (bytes: Uint8Array, reading: Reading): ReadonlyArray<Step> => {
  const { facts, path, pending } = reading
  const add = (found: ReadonlyArray<AnyFact>): void => {
    facts.push(found)
  }
  const open = () => {
    if (aborted !== undefined) return
    try {
      reading.text = inflateRawSync(bytes, { maxOutputLength: MOST }).toString()
      add([fileFact(path, reading.text)])
    } catch {
      reading.reason = "not read: it is larger than 1 MiB"
    }
  }
  const readBy = (reader: Reader) => () => {
    if (reading.text === undefined || aborted !== undefined) return
    try {
      const found = reader.read(path, reading.text)
      if (found instanceof Promise) pending.push(found.then(add, giveUp(reading)))
      else add(found)
    } catch (error) {
      if (error instanceof TooSlow) throw error
      giveUp(reading)(error)
    }
  }
  return [open, ...readers.filter((reader) => reader.takes(path)).map(readBy)].map((run) => ({ run, late: giveUp(reading) }))
}

export const engine = async (bytes: Uint8Array): Promise<ReadAnswer> => {
  if (aborted !== undefined) throw new Error(`the parser of this process stopped at ${aborted}`)
  const pieces = unpack(bytes)
  await Promise.all(grammarsOf(pieces.map(({ name }) => name)).map(loadGrammar))
  const files: Array<ReadAnswer["files"][number]> = []
  const skipped: Array<ReadAnswer["skipped"][number]> = []
  const unread: Array<string> = []
  const opened = pieces.map(({ bytes, name: path }) => {
    const reading: Reading = { path, text: undefined, facts: [], pending: [], reason: undefined }
    return { reading, steps: stepsOf(bytes, reading) }
  })
  inTime(opened.flatMap(({ steps }) => steps))
  for (const { reading } of opened) {
    await Promise.all(reading.pending)
    if (reading.text === undefined && reading.reason === undefined) unread.push(reading.path)
    if (reading.text !== undefined) {
      const { json, reason } = bounded(reading.facts.flat(), reading.reason)
      reading.reason = reason
      files.push({ path: reading.path, facts: deflateRawSync(json, { level: LEVEL }).toString("base64") })
    }
    if (reading.reason !== undefined) skipped.push({ path: reading.path, reason: reading.reason })
  }
  return { files, skipped, unread }
}
