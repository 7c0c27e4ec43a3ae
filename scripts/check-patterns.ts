/**
 * Checks that no regular expression takes more than linear time: whoever sends a text would decide how long the server is busy. recheck
 * judges (https://makenowjust-labs.github.io/recheck); it has 29 MB, so it is fetched into this checkout, and no installation has it.
 *
 * The verdict depends on nothing but the pattern, its flags and the version of recheck, and all verdicts together take three minutes of
 * processor time. So scripts/linear-patterns.json lists the hash of each pattern that passed, and only the others are judged.
 *
 *   node scripts/check-patterns.ts            judges the patterns that are not listed
 *   node scripts/check-patterns.ts --all      judges every pattern, as npm run prove does
 *   node scripts/check-patterns.ts --write    judges the patterns that are not listed, and writes the list anew
 */
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseSync } from "vite"
import { ensureFetched } from "./bootstrap/fetch.mjs"
import { walk } from "./form/measure.ts"

const RECHECK = {
  name: "recheck-linux-x64",
  version: "4.5.0",
  integrity: "sha512-52kXsR/v+IbGIKYYFZfSZcgse/Ci9IA2HnuzrtvRRcfODkcUGe4n72ESQ8nOPwrdHFg9i4j9/YyPh1HWWgpJ6A=="
}
/** What runs in the service. Tests, their kit and the bench read texts of their own. */
const SOURCES = ["packages/*/src/**/*.ts"]
const NOT_RUN = /^packages\/(?:bench|testkit)\/|[.-](?:test|fixture|d)\.ts$|\/testing\//u
/** A pattern that repeats nothing without bound is done in a time that does not grow. */
const REPEATS = /[*+]|,\}/u
/** Milliseconds for one pattern, after which nothing is known of it. */
const TIMEOUT = 60_000
/** For a text of some ten thousand characters. */
const HELD_UP_MILLIS = 200

interface Pattern {
  readonly source: string
  readonly flags: string
  /** Where it stands first. */
  readonly place: string
}

interface Verdict {
  readonly status: "safe" | "vulnerable" | "unknown"
  readonly complexity?: { readonly summary: string }
  /** `fuzz`: no proof, but a text for which it counted many steps. */
  readonly checker?: "automaton" | "fuzz"
  readonly attack?: { readonly pattern: string; readonly string: string }
}

const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** Hashes of the patterns that passed, sorted. */
const LINEAR = join(root, "scripts/linear-patterns.json")

/** The hash under which a pattern is listed: of its source, its flags and the version of the judge. */
export const hashOf = ({ flags, source }: Pick<Pattern, "flags" | "source">, version: string = RECHECK.version): string =>
  createHash("sha256").update(`${version} /${source}/${flags}`).digest("hex").slice(0, 16)

export const patternsOf = (path: string, text: string): ReadonlyArray<Pattern> => {
  const patterns: Array<Pattern> = []
  walk(parseSync(path, text).program, ({ regex, start }) => {
    if (regex === undefined || regex === null) return
    const { flags, pattern: source } = regex as { readonly pattern: string; readonly flags: string }
    if (REPEATS.test(source)) patterns.push({ source, flags, place: `${path}:${text.slice(0, start).split("\n").length}` })
  })
  return patterns
}

/** The judge answers one line a question, which may come in another order. */
const judge = (program: string, patterns: ReadonlyArray<Pattern>): Promise<ReadonlyArray<Verdict>> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, ["agent"], { stdio: ["pipe", "pipe", "inherit"] })
    const verdicts = new Map<number, Verdict>()
    child.once("error", reject)
    child.once("close", () => reject(new Error("recheck ended before it had judged all patterns")))
    let rest = ""
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      // A reader of lines would also end them at U+2028, which stands in texts that hold a pattern up.
      const lines = (rest + chunk).split("\n")
      rest = lines.pop() ?? ""
      for (const line of lines) {
        const { id, result } = JSON.parse(line) as { readonly id: number; readonly result?: Verdict }
        if (result !== undefined) verdicts.set(id, result)
      }
      if (verdicts.size < patterns.length) return
      child.removeAllListeners("close").kill()
      resolve(patterns.map((_, n) => verdicts.get(n) ?? { status: "unknown" }))
    })
    for (const [id, { flags, source }] of patterns.entries()) {
      const params = { source, flags, params: { timeout: TIMEOUT } }
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0+push", id, method: "check", params })}\n`)
    }
  })

/** Whether the text really holds a pattern up: a linear one is done in a millisecond, another takes seconds. */
const isHeldUp = ({ flags, source }: Pattern, text: string): boolean => {
  const start = performance.now()
  new RegExp(source, flags).exec(text)
  return performance.now() - start > HELD_UP_MILLIS
}

/** What is wrong with a pattern; undefined where nothing is. */
const faultOf = (pattern: Pattern, { attack, checker, complexity, status }: Verdict): string | undefined => {
  if (status !== "vulnerable" || checker === "fuzz" && attack !== undefined && !isHeldUp(pattern, attack.string)) return undefined
  return `${pattern.place}: /${pattern.source}/${pattern.flags}: ${complexity?.summary ?? status}; ${attack?.pattern ?? "no attack"}`
}

const ensureRecheck = async (): Promise<string> => {
  const folder = join(root, ".node", "recheck")
  await ensureFetched(root, folder, RECHECK, {
    reason: "regular expressions are judged by a package that no other command needs",
    title: `${RECHECK.name} ${RECHECK.version}`,
    problem: () => undefined,
    advice: "Check the network and the free space"
  })
  return join(folder, "node_modules", RECHECK.name, "recheck")
}

/** What the judge said of a pattern, and what is wrong with it. */
interface Judged {
  readonly pattern: Pattern
  readonly status: Verdict["status"]
  readonly fault: string | undefined
}

/** So many patterns are judged before what passed is written. */
const PER_WRITE = 50

const judgeAll = async (
  patterns: ReadonlyArray<Pattern>,
  isDone: (judged: ReadonlyArray<Judged>) => void
): Promise<ReadonlyArray<Judged>> => {
  const judged: Array<Judged> = []
  const program = patterns.length === 0 ? "" : await ensureRecheck()
  for (let at = 0; at < patterns.length; at += PER_WRITE) {
    const some = patterns.slice(at, at + PER_WRITE)
    const verdicts = await judge(program, some)
    for (const [n, pattern] of some.entries()) {
      const verdict = verdicts[n] ?? { status: "unknown" }
      judged.push({ pattern, status: verdict.status, fault: faultOf(pattern, verdict) })
    }
    isDone(judged)
  }
  return judged
}

/** Lists what was listed and is still there, and what has passed. */
const write = (patterns: ReadonlyArray<Pattern>, listed: ReadonlySet<string>, judged: ReadonlyArray<Judged>): void => {
  const passed = judged.filter(({ fault, status }) => fault === undefined && status !== "unknown").map(({ pattern }) => hashOf(pattern))
  const linear = new Set([...patterns.map((pattern) => hashOf(pattern)).filter((hash) => listed.has(hash)), ...passed])
  writeFileSync(LINEAR, `${JSON.stringify([...linear].toSorted(), undefined, 2)}\n`)
}

const main = async (option?: string): Promise<number> => {
  const files = globSync(SOURCES, { cwd: root }).filter((path) => !NOT_RUN.test(path)).toSorted()
  const all = files.flatMap((path) => patternsOf(path, readFileSync(join(root, path), "utf8")))
  const patterns = [...new Map(all.toReversed().map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern])).values()]
  const listed = new Set<string>(JSON.parse(readFileSync(LINEAR, "utf8")) as ReadonlyArray<string>)
  const unlisted = option === "--all" ? patterns : patterns.filter((pattern) => !listed.has(hashOf(pattern)))
  if (unlisted.length > 0 && `${process.platform}-${process.arch}` !== "linux-x64") {
    console.log(`${unlisted.length} patterns are not judged: recheck is fetched for Linux on x64 only`)
    return 0
  }
  const judged = await judgeAll(unlisted, (some) => option === "--write" && write(patterns, listed, some))
  const faults = judged.flatMap(({ fault }) => fault ?? [])
  for (const fault of faults.toSorted()) console.log(fault)
  // On a slow machine the judge may not come to an end, which says nothing of the pattern.
  const unjudged = judged.filter(({ status }) => status === "unknown")
  for (const { pattern } of unjudged) console.log(`${pattern.place}: not judged within ${TIMEOUT / 1000} s [Warning/recheck]`)
  const counts = `${patterns.length - unlisted.length} are listed as linear, ${judged.length} were judged`
  console.log(
    `${patterns.length} patterns in ${files.length} files: ${counts}, ${faults.length} are not linear, ${unjudged.length} took too long`
  )
  return faults.length === 0 ? 0 : 1
}

if (import.meta.main) process.exitCode = await main(process.argv[2])
