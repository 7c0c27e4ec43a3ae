/** What a command needs that a snapshot has not. */
import { posix } from "node:path"
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

/** Folders whose manifests name dependencies that are not in the repository. */
const lacking: (project: Project) => ReadonlySet<string> = memo((project) =>
  new Set(
    project.paths.some((path) => /(?:^|\/)(?:node_modules|site-packages)\//u.test(path)) ? [] : project.facts("dependency")
      .filter(({ value: { scope } }) => scope !== "peer").map(({ evidence: [{ path }] }) => posix.dirname(path))
  )
)

const hasDependencies = (project: Project, folder: string): boolean => foldersUp(folder).some((above) => lacking(project).has(above))

/** `text` is the command with whatever it runs in turn. */
export const needsOf = (project: Project, folder: string, text: string): string | null =>
  OUTSIDE.find(([what]) => what.test(text))?.[1] ??
    (hasDependencies(project, folder) ? "dependencies absent" : null)
