/** The engine that a confined child runs over what was sent: the files that are analysed out, each as it is kept. */
import type { EngineFunction } from "@svc/confined/model"
import { redactCardNumbers } from "@svc/kernel/values/card-numbers"
import { unpack } from "@svc/programs/confined/pack"
import { visible } from "@svc/programs/facts/text"
import { hash } from "node:crypto"
import { basename } from "node:path/posix"
import { deflateRawSync } from "node:zlib"
import { ignoredBy } from "./gitignore.ts"
import type { IntakeAnswer, IntakeOptions, SkippedFile } from "./model.ts"
import { isMinified, normalized, vendoredFolder } from "./paths.ts"
import { MIB, Refusal } from "./refusal.ts"
import { redactSecrets } from "./secrets.ts"
import { tarEntries } from "./tarball.ts"

const MOST_BYTES = MIB
/** Of a path that is refused, as it is shown. */
const SHOWN = 100

/** What is read of an archive or of a message, in its order. `reason`: why the content is not wanted. */
interface Entry {
  readonly name: string
  readonly reason?: string
  readonly read: () => Promise<Uint8Array> | Uint8Array
}

const ofTarball = async function*(tarball: Uint8Array): AsyncGenerator<Entry> {
  for await (const { name, read, size, type } of tarEntries(tarball)) {
    if (type === "directory" || type.startsWith("pax-")) continue
    // GitHub puts the repository into a folder of its own. A name that leads out is refused as it is.
    const inside = normalized(name) === undefined ? name : name.replace(/^(?:\.?\/)*[^/]+\//u, "")
    if (type !== "file") yield { name: inside, reason: `a ${type}, and no file`, read }
    else yield { name: inside, read, ...(size > MOST_BYTES ? { reason: "over 1 MiB" } : {}) }
  }
}

const ofPieces = async function*(packed: Uint8Array): AsyncGenerator<Entry> {
  for (const { bytes, name } of unpack(packed)) {
    yield { name, read: () => bytes, ...(bytes.length > MOST_BYTES ? { reason: "over 1 MiB" } : {}) }
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Undefined for what is no text. */
const textOf = (bytes: Uint8Array): string | undefined => {
  if (bytes.includes(0)) return undefined
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** The path as it may be shown, and why that is another one: then nothing may cite it. */
const unshowable = (path: string): SkippedFile | undefined => {
  const shown = redactSecrets(redactCardNumbers(visible(path).replaceAll(/[\u2028\u2029]/gu, "")))
  return shown === path ? undefined : { path: shown, reason: "its path holds a card number, a key, or signs that nobody sees" }
}

const linesOf = (text: string): number => text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0)

type TakenFile = Extract<IntakeAnswer, { readonly files: unknown }>["files"][number]

/** Masking keeps the length, so that every line and column stays where it was. */
const taken = (path: string, text: string, lines: number): TakenFile => {
  const masked = Buffer.from(redactSecrets(redactCardNumbers(text), path))
  return {
    path,
    sha256: hash("sha256", masked, "hex"),
    bytes: masked.length,
    lines,
    deflated: deflateRawSync(masked).toString("base64")
  }
}

const byPath = (one: { readonly path: string }, other: { readonly path: string }): number =>
  one.path < other.path ? -1 : one.path > other.path ? 1 : 0

const takeIn = async (entries: AsyncGenerator<Entry>): Promise<IntakeAnswer> => {
  const files: Array<TakenFile> = []
  const skipped: Array<SkippedFile> = []
  const paths = new Set<string>()
  const gitignores = new Map<string, string>()
  for await (const { name, read, reason } of entries) {
    const path = normalized(name)
    if (path === undefined) {
      throw new Refusal("unsafe_path", `The path ${JSON.stringify(name.slice(0, SHOWN))} leads out of the project, or is none.`)
    }
    if (paths.has(path)) throw new Refusal("duplicate_path", `Two files have the path ${JSON.stringify(path.slice(0, SHOWN))}.`)
    paths.add(path)
    const hidden = unshowable(path)
    if (hidden !== undefined) {
      skipped.push(hidden)
      continue
    }
    const folder = vendoredFolder(path)
    const unwanted = folder === undefined ? reason : `vendored or built: it lies in ${folder}`
    const text = unwanted === undefined ? textOf(await read()) : undefined
    const lines = linesOf(text ?? "")
    if (unwanted !== undefined) skipped.push({ path, reason: unwanted })
    else if (text === undefined) skipped.push({ path, reason: "binary: it is no UTF-8 text" })
    else if (isMinified(path, text, lines)) skipped.push({ path, reason: "minified" })
    else files.push(taken(path, text, lines))
    if (text !== undefined && basename(path) === ".gitignore") gitignores.set(path, text)
  }
  const isIgnored = ignoredBy(gitignores)
  return {
    files: files.filter(({ path }) => !isIgnored(path)).toSorted(byPath),
    skipped: [
      ...skipped,
      ...files.filter(({ path }) => isIgnored(path)).map(({ path }) => ({ path, reason: "a .gitignore leaves it out" }))
    ].toSorted(byPath)
  }
}

export const engine: EngineFunction = async (bytes, options) => {
  const { source } = options as unknown as IntakeOptions
  try {
    return await takeIn(source === "tarball" ? ofTarball(bytes) : ofPieces(bytes))
  } catch (error) {
    if (error instanceof Refusal) return { refused: { reason: error.reason, message: error.message } }
    throw error
  }
}
