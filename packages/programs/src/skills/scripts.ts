/** Scripts that a repository names, and what they run in turn. */
import { posix } from "node:path"
import type { Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { memo } from "../map/memo.ts"
import { foldersUp, isThere } from "./needs.ts"

export type Script = Fact<"script">

export const folderOf = (
  { evidence: [{ path }] }: { readonly evidence: readonly [{ readonly path: string }, ...ReadonlyArray<unknown>] }
) => posix.dirname(path)

/** Lock files of npm's family, the closest of which says who runs the scripts. */
const MANAGERS: ReadonlyArray<readonly [lock: string, manager: string]> = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["package-lock.json", "npm"]
]

const managers = memo((_: Project) => new Map<string, string>())

export const managerOf = (project: Project, folder: string): string => {
  const manager = managers(project).get(folder) ?? findManager(project, folder)
  managers(project).set(folder, manager)
  return manager
}

const findManager = (project: Project, folder: string): string =>
  foldersUp(folder).flatMap((above) => [
    ...project.factsOf(posix.join(above, "package.json"), "setting").filter(({ value: { name } }) => name === "packageManager")
      .flatMap(({ value: { value } }) => /^(?:npm|pnpm|yarn|bun)(?=@)/u.exec(value)?.[0] ?? []),
    ...MANAGERS.filter(([lock]) => isThere(project, posix.join(above, lock))).map(([, manager]) => manager)
  ])[0] ?? "npm"

const PREFIXES: Readonly<Record<string, string>> = {
  make: "make",
  just: "just",
  task: "task",
  tox: "tox -e",
  nox: "nox -s",
  composer: "composer run",
  deno: "deno task",
  pdm: "pdm run",
  hatch: "hatch run",
  poe: "poe",
  rake: "rake"
}

/** How the script is called; undefined where nothing here can call it, or its name is no plain word. */
export const callOf = (project: Project, script: Script): string | undefined => {
  const { subject: name, value: { runner } } = script
  if (!/^[\w@][\w:./@-]{0,60}$/u.test(name)) return undefined
  if (runner === "npm") return `${managerOf(project, folderOf(script))} run ${name}`
  const prefix = Object.hasOwn(PREFIXES, runner) ? PREFIXES[runner] : undefined
  return prefix === undefined ? undefined : `${prefix} ${name}`
}

export interface Segment {
  /** One command, without `&&`. */
  readonly text: string
  readonly script: Script
  /** The script runs nothing else. */
  readonly alone: boolean
}

const scriptsByName = memo((project) =>
  new Map(project.facts("script").toReversed().map((script) => [`${script.evidence[0].path}\n${script.subject}`, script]))
)

/** The first of the name in the file. */
const scriptNamed = (project: Project, path: string, name: string): Script | undefined => scriptsByName(project).get(`${path}\n${name}`)

const NESTED = /^(?:npm|pnpm|yarn|bun)(?: run| -s| --silent)* ([\w:./@-]+)/u

/** More scripts than these are not looked into: scripts that run two others each come to twice as many commands a step. */
const MOST_NESTED = 50

const segmentsWithin = (project: Project, script: Script, seen: Set<Script>): ReadonlyArray<Segment> => {
  seen.add(script)
  const parts = script.value.command.split(/&&|\|\||;/u).map((part) => part.trim()).filter((part) => part !== "")
  return parts.flatMap((text): ReadonlyArray<Segment> => {
    const name = NESTED.exec(text)?.[1]
    const nested = name === undefined ? undefined : scriptNamed(project, script.evidence[0].path, name)
    if (nested === undefined || seen.has(nested) || seen.size >= MOST_NESTED) return [{ text, script, alone: parts.length === 1 }]
    return segmentsWithin(project, nested, seen)
  })
}

const known = memo((_: Project) => new Map<Script, ReadonlyArray<Segment>>())

/** The commands of a script in their order; a script of the same file that it runs is replaced, once, by what that one runs. */
export const segmentsOf = (project: Project, script: Script): ReadonlyArray<Segment> => {
  const found = known(project).get(script) ?? segmentsWithin(project, script, new Set())
  known(project).set(script, found)
  return found
}

/** Scripts that npm and its like run unasked with the script. */
export const runUnasked = (project: Project, { evidence: [{ path }], subject, value: { runner } }: Script): ReadonlyArray<Script> =>
  runner === "npm" ? ["pre", "post"].flatMap((when) => scriptNamed(project, path, `${when}${subject}`) ?? []) : []
