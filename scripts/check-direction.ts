/**
 * Checks the direction of every import under packages/: nothing imports upward, every file of a resource has a role, no role
 * reaches past its neighbours, no circle anywhere, no noun of the business in the kernel, and no table of a higher floor in SQL.
 * Checks on the way that no code asks the machine for the time or for randomness, nor Effect for a time that may not be the account's.
 */
import { execFileSync } from "node:child_process"
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve, sep } from "node:path"
import { circles } from "./direction/graph.ts"
import { unneeded, unwelcome } from "./direction/nouns.ts"
import {
  FLOORS,
  isContract,
  isFixture,
  isKnown,
  isTest,
  judge,
  livesByAccounts,
  mayReadClock,
  misplaced,
  type Place
} from "./direction/rules.ts"
import { readSource, type Source } from "./direction/source.ts"
import { isMigration, judgeTable, tablesMade, tableUses, unneededTables } from "./direction/tables.ts"

export interface Report {
  readonly files: number
  readonly imports: number
  readonly problems: ReadonlyArray<string>
}

const placeOf = (root: string, file: string): Place | undefined => {
  const [packages, name, src, ...rest] = relative(root, file).split(sep)
  return packages === "packages" && name !== undefined && src === "src" ? { package: name, path: rest.join("/") } : undefined
}

/** The file that an import means, or why it means none. Imports of npm packages are not ours to judge. */
const target = (root: string, file: string, from: Place, specifier: string): { file: string } | { problem: string } | undefined => {
  const own = /^@svc\/([^/]+)(?:\/(.*))?$/.exec(specifier)
  if (own === null && !specifier.startsWith(".")) return undefined
  if (own?.[1] === from.package) return { problem: "a package imports its own files by relative path" }
  const path = own === null ? resolve(dirname(file), specifier) : join(root, "packages", own[1] ?? "", "src", `${own[2] ?? ""}.ts`)
  if (own === null && placeOf(root, path)?.package !== from.package) return { problem: "another package is imported by its name" }
  return existsSync(path) ? { file: path } : { problem: "there is no such file" }
}

/** Files that git knows. A checker that overlooks files finds no fault in them. */
const tracked = (root: string): ReadonlyArray<string> => {
  try {
    const list = execFileSync("git", ["-C", root, "ls-files", "-z", "--", "packages/*/src/*.ts"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"]
    })
    return list.split("\0").filter((path) => path !== "" && existsSync(join(root, path)))
  } catch {
    return []
  }
}

const filesOf = (root: string): ReadonlyArray<string> =>
  readdirSync(join(root, "packages"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) =>
      globSync("src/**/*.ts", { cwd: join(root, "packages", entry.name) }).map((path) => join(root, "packages", entry.name, path))
    )
    .sort()

/** Implementations that the SDK would load by way of a contract, each with the way there. */
const loadedByClient = (root: string, edges: ReadonlyMap<string, ReadonlyArray<string>>): ReadonlyArray<string> => {
  const placed = Array.from(edges.keys(), (file) => ({ file, place: placeOf(root, file) }))
  const ways = placed.filter(({ place }) => place?.package === "client" && !isTest(place)).map(({ file }) => [file])
  const seen = new Set(ways.flat())
  const problems: Array<string> = []
  for (let way = ways.shift(); way !== undefined; way = ways.shift()) {
    for (const next of edges.get(way.at(-1) ?? "") ?? []) {
      if (seen.has(next)) continue
      seen.add(next)
      const place = placeOf(root, next)
      if (place !== undefined && !isContract(place)) {
        // A step straight into it is told where it stands.
        if (way.length > 1) {
          problems.push(`the SDK loads an implementation: ${[...way, next].map((file) => relative(root, file)).join(" -> ")}`)
        }
      } else ways.push([...way, next])
    }
  }
  return problems
}

/** Nouns of the business in a file of the kernel. */
const nounsOf = (name: string, { package: owner, path }: Place, { words }: Source): ReadonlyArray<string> => {
  if (owner !== "kernel") return []
  const found = [
    ...unwelcome(path, path).map((noun) => `${name}: the name says ${noun}`),
    ...words.flatMap(({ line, text }) => unwelcome(path, text).map((noun) => `${name}:${line}: ${noun}`))
  ].map((where) => `${where}, a noun of the business: it belongs to the package that owns it`)
  return [
    ...new Set(found),
    ...unneeded(path, words.map(({ text }) => text)).map((noun) =>
      `${name}: need not be allowed ${noun} any more; see scripts/direction/nouns.ts`
    )
  ]
}

interface ReadFile {
  readonly name: string
  readonly place: Place
  readonly source: Source
}

/** Uses of tables that the floors forbid. Tests and what serves them look at every table. */
const tableProblems = (files: ReadonlyArray<ReadFile>): ReadonlyArray<string> => {
  const owners = new Map<string, string>()
  for (const { place, source } of files) {
    if (FLOORS[place.package] === undefined || !isMigration(place)) continue
    for (const table of tablesMade(source.words)) owners.set(table, place.package)
  }
  const judged = files.filter(({ place }) => FLOORS[place.package] !== undefined && !isTest(place) && !isFixture(place))
  return judged.flatMap(({ name, place, source }) => {
    const uses = tableUses(source.words, source.tables, (table) => owners.has(table))
    const wrong = uses.flatMap((use) => {
      const reason = judgeTable(place, owners.get(use.table) ?? place.package, use)
      return reason === undefined ? [] : [`${name}:${use.line}: table ${use.table}: ${reason}`]
    })
    const unneeded = unneededTables(place, uses)
      .map((table) => `${name}: need not write ${table} any more; see scripts/direction/tables.ts`)
    return [...new Set(wrong), ...unneeded]
  })
}

/** Checks the tree below `root`, which has a folder `packages`. */
export const check = (root: string): Report => {
  const files = filesOf(root)
  const problems: Array<string> = []
  const edges = new Map<string, Array<string>>()
  const read: Array<ReadFile> = []
  let imports = 0
  for (const file of files) {
    const from = placeOf(root, file)
    if (from === undefined) continue
    const name = relative(root, file)
    if (!isKnown(from.package)) problems.push(`${name}: package ${from.package} stands on no floor; add it to scripts/direction/rules.ts`)
    const reason = misplaced(from, (folder) => existsSync(join(root, "packages", from.package, "src", folder, "api.ts")))
    if (reason !== undefined) problems.push(`${name}: ${reason}`)
    const source = readSource(name, readFileSync(file, "utf8"))
    read.push({ name, place: from, source })
    for (const error of source.errors) problems.push(`${name}: ${error}`)
    for (const { line } of isTest(from) ? [] : source.computed) {
      problems.push(`${name}:${line}: the target of this import is computed, so nobody can check it`)
    }
    if (!mayReadClock(from)) {
      for (const { line, text } of source.ambient) {
        problems.push(`${name}:${line}: ${text}; take time from Clock and randomness from a service`)
      }
    }
    problems.push(...nounsOf(name, from, source))
    if (livesByAccounts(from)) {
      for (const { line, text } of source.worldly) {
        problems.push(
          `${name}:${line}: ${text}; take now of @svc/kernel/time, for an account may have a clock of its own, or realNow where the world's time is meant`
        )
      }
    }
    const next: Array<string> = []
    for (const { line, text } of source.imports) {
      imports++
      const found = target(root, file, from, text)
      if (found === undefined) continue
      const to = "file" in found ? placeOf(root, found.file) : undefined
      const reason = "problem" in found ? found.problem : to === undefined ? undefined : judge(from, to)
      if (reason !== undefined) problems.push(`${name}:${line}: ${text}: ${reason}`)
      if ("file" in found) next.push(found.file)
    }
    edges.set(file, next)
  }
  for (const circle of circles(edges)) problems.push(`circle: ${circle.map((file) => relative(root, file)).join(" -> ")}`)
  problems.push(...loadedByClient(root, edges), ...tableProblems(read))
  const unseen = tracked(root).filter((path) => !edges.has(join(root, path)))
  if (unseen.length > 0) problems.push(`${unseen.length} files in git were not looked at, such as ${unseen[0]}`)
  if (files.length === 0) problems.push("there is not a single file under packages/")
  return { files: files.length, imports, problems }
}

if (import.meta.main) {
  const { files, imports, problems } = check(join(import.meta.dirname, ".."))
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) {
    console.error(`${files} files, ${imports} imports, ${problems.length} problems`)
    process.exitCode = 1
  } else console.log(`${files} files, ${imports} imports, no upward import, no upward table, no circle`)
}
