/** What a command needs that a snapshot has not. */
import { posix } from "node:path"
import type { Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { memo } from "../map/memo.ts"

/** The first that fits is said. */
const OUTSIDE: ReadonlyArray<readonly [what: RegExp, needs: string]> = [
  [/\b(?:docker|podman|docker-compose)\b/u, "it needs a container engine"],
  [/\b(?:psql|pg_\w+|mysql|redis-cli|mongod?|prisma migrate|DATABASE_URL)\b/u, "it needs a database"],
  [/\b(?:playwright|cypress|puppeteer|wdio|karma)\b/u, "it needs a browser"],
  [/\b(?:curl|wget|ssh|scp|rsync|aws|gcloud|kubectl|npm (?:ci|i|install|publish)|pip install)\b/u, "it needs the network"],
  [/\bcargo\b/u, "it needs the Rust toolchain"],
  [/\bgo (?:test|build|vet|generate|run)\b/u, "it needs the Go toolchain"],
  [/\b(?:gradlew?|mvnw?|java)\b/u, "it needs a JDK"],
  [/\b(?:dotnet|mix|dart|flutter|bundle exec|rake|composer|phpunit|deno|bun)\b/u, "its toolchain is absent"]
]

/** The folder and those above it, up to the root. */
export const foldersUp = (folder: string): ReadonlyArray<string> => folder === "." ? ["."] : [folder, ...foldersUp(posix.dirname(folder))]

const pathsOf = memo((project) => new Set(project.paths))

/** Whether the repository has the file. */
export const isThere = (project: Project, path: string): boolean => pathsOf(project).has(path)

type Dependency = Fact<"dependency">

/** By folders whose manifests name dependencies that are not in the repository: the first of these. */
const lacking: (project: Project) => ReadonlyMap<string, Dependency> = memo((project) => {
  if (project.paths.some((path) => /(?:^|\/)(?:node_modules|site-packages)\//u.test(path))) return new Map()
  const named = project.facts("dependency").filter(({ value: { scope } }) => scope !== "peer")
  return new Map(named.toReversed().map((dependency) => [posix.dirname(dependency.evidence[0].path), dependency]))
})

/** What is said of a command whose dependencies are not in the repository. */
export const ABSENT = "dependencies absent"

/** A dependency that commands of the folder lack. */
export const absentDependency = (project: Project, folder: string): Dependency | undefined =>
  foldersUp(folder).flatMap((above) => lacking(project).get(above) ?? [])[0]

/** `text` is the command with whatever it runs in turn. */
export const needsOf = (project: Project, folder: string, text: string): string | null =>
  OUTSIDE.find(([what]) => what.test(text))?.[1] ??
    (absentDependency(project, folder) === undefined ? null : ABSENT)
