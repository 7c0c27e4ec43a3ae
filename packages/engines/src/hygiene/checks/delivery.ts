/** How the project is built and delivered: dependencies, workflows, containers. */
import type { Fact } from "@svc/programs/facts/model"
import { lineAt } from "@svc/programs/facts/positions"
import { github } from "@svc/programs/facts/readers/ci/github"
import { dockerfile } from "@svc/programs/facts/readers/infrastructure/dockerfile"
import { findNodeAtLocation, type Node, parseTree } from "jsonc-parser"
import { posix } from "node:path"
import { type HygieneFile, isOwn } from "../files.ts"
import type { Finding } from "../rule-table.ts"

const WORKFLOW = /(?:^|\/)\.github\/workflows\/[^/]+\.ya?ml$/u
const HASH = /@[0-9a-f]{40}$|@sha256:[0-9a-f]{64}$/u

const workflowChecks = async (file: HygieneFile): Promise<ReadonlyArray<Finding>> => {
  const { path, text } = file
  const facts = (await Promise.all(github.filter(({ takes }) => takes(path)).map(({ read }) => read(path, text)))).flat()
  const steps = facts.filter((fact): fact is Fact<"ci-step"> => fact.kind === "ci-step")
  const unpinned = steps.filter(({ value: { uses } }) => uses !== null && !/^\.{0,2}\//u.test(uses) && !HASH.test(uses))
  const asks = /^\s{0,20}permissions:/mu.test(text)
  return [
    ...unpinned.map(({ evidence: [{ end_line, start_line }] }): Finding => {
      const at = text.split("\n").slice(start_line - 1, end_line).findIndex((line) => /^\s{0,40}(?:-\s{0,9})?uses:/u.test(line))
      return { rule: "unpinned-action", path, line: start_line + Math.max(0, at) }
    }),
    ...(WORKFLOW.test(path) && steps.length > 0 && !asks ? [{ rule: "workflow-permissions", path, line: 1 } as const] : [])
  ]
}

const containerChecks = async ({ path, text }: HygieneFile): Promise<ReadonlyArray<Finding>> => {
  if (!dockerfile.takes(path)) return []
  const facts = (await dockerfile.read(path, text)).filter((fact): fact is Fact<"container"> => fact.kind === "container")
  const bases = facts.filter(({ value: { instruction } }) => instruction.toUpperCase() === "FROM")
  const stages = new Set(facts.map(({ subject }) => subject.toLowerCase()))
  const last = facts.at(-1)?.subject
  const user = facts.findLast(({ subject, value: { instruction } }) => subject === last && instruction.toUpperCase() === "USER")
  const floating = bases.filter(({ value }) => {
    const image = value.value.split(/\s/u).find((word) => word !== "" && !word.startsWith("--")) ?? ""
    if (image === "scratch" || image.includes("$") || image.includes("@sha256:") || stages.has(image.toLowerCase())) return false
    const tag = /:([^:/]+)$/u.exec(image)?.[1]
    return tag === undefined || tag === "latest"
  })
  const base = bases.at(-1)
  const isRoot = user === undefined ? base !== undefined : /^\s*(?:root|0)(?::|\s|$)/u.test(user.value.value)
  // Images that are made to run as somebody else already.
  const isRootless = /nonroot|chainguard/u.test(base?.value.value ?? "")
  return [
    ...floating.map(({ evidence: [{ start_line }] }): Finding => ({ rule: "container-latest", path, line: start_line })),
    ...(isRoot && !isRootless && base !== undefined
      ? [{ rule: "container-root", path, line: (user ?? base).evidence[0].start_line } as const]
      : [])
  ]
}

const SCOPES = ["dependencies", "devDependencies", "optionalDependencies"] as const

const members = (tree: Node | undefined): ReadonlyArray<Node> => tree?.type === "object" ? tree.children ?? [] : []
const jsonOf = (file: HygieneFile | undefined): Node | undefined => file === undefined ? undefined : parseTree(file.text)
const nameOf = ({ children }: Node): string => String(children?.[0]?.value ?? "")
const rangeOf = ({ children }: Node): unknown => children?.[1]?.value

/** Lock files that say which versions the manifests of their folder, and of the folders below, mean. */
const LOCKS: Readonly<Record<string, RegExp>> = {
  "package.json": /^(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?)$/u,
  "Cargo.toml": /^Cargo\.lock$/u,
  "go.mod": /^go\.sum$/u,
  "Gemfile": /^Gemfile\.lock$/u,
  "composer.json": /^composer\.lock$/u,
  "pyproject.toml": /^(?:poetry\.lock|uv\.lock|pdm\.lock|pylock\.toml|requirements[^/]*\.txt)$/u
}
const DEPENDS: Readonly<Record<string, RegExp>> = {
  "package.json": /"(?:devD|d)ependencies"\s{0,9}:\s{0,9}\{\s{0,200}"/u,
  "Cargo.toml": /^\[(?:dev-)?dependencies\][^[]{0,200}?=/mu,
  "go.mod": /^require\b/mu,
  "Gemfile": /^\s{0,20}gem\s/mu,
  "composer.json": /"require"\s{0,9}:\s{0,9}\{\s{0,200}"[^"\n]{1,100}\//u,
  "pyproject.toml": /^dependencies\s{0,9}=\s{0,9}\[\s{0,200}["']|^\[tool\.poetry\.dependencies\]/mu
}

const lockChecks = (file: HygieneFile, files: ReadonlyMap<string, HygieneFile>, names: ReadonlyMap<string, ReadonlySet<string>>) => {
  const [locks, depends] = [LOCKS[file.name], DEPENDS[file.name]]
  if (locks === undefined || depends?.test(file.text) !== true) return []
  const folders = [posix.dirname(file.path)]
  while (folders.at(-1) !== ".") folders.push(posix.dirname(folders.at(-1) ?? "."))
  const isLocked = folders.some((folder) => Array.from(names.get(folder) ?? []).some((name) => locks.test(name)))
  const found: Array<Finding> = isLocked ? [] : [{ rule: "missing-lockfile", path: file.path, line: null }]
  if (file.name !== "package.json") return found
  const manifest = jsonOf(file)
  const lock = jsonOf(files.get(posix.join(posix.dirname(file.path), "package-lock.json")))
  const packages = lock === undefined ? undefined : findNodeAtLocation(lock, ["packages"])
  const locked = new Set(members(packages).map(nameOf))
  const line = lineAt(file.text)
  for (const scope of SCOPES) {
    for (const member of members(manifest === undefined ? undefined : findNodeAtLocation(manifest, [scope]))) {
      const at = { path: file.path, line: line(member.offset) }
      const range = rangeOf(member)
      if (packages !== undefined && !locked.has(`node_modules/${nameOf(member)}`)) found.push({ rule: "lock-missing-entry", ...at })
      if (typeof range === "string" && /^(?:\*|x|latest|)$/u.test(range.trim())) found.push({ rule: "floating-dependency", ...at })
    }
  }
  return found
}

export const deliveryChecks = async (files: ReadonlyArray<HygieneFile>): Promise<ReadonlyArray<Finding>> => {
  const own = files.filter(isOwn)
  const byPath = new Map(own.map((file) => [file.path, file]))
  const names = new Map(
    Array.from(Map.groupBy(own, ({ path }) => posix.dirname(path)), ([folder, held]) => [folder, new Set(held.map(({ name }) => name))])
  )
  const found: Array<Finding> = []
  for (const file of own) {
    found.push(...await workflowChecks(file), ...await containerChecks(file), ...lockChecks(file, byPath, names))
  }
  return found
}
