/** The commands that check the whole repository: what its own scripts say, and nothing else. */
import { type CodeLine, comment } from "../claims/comments.ts"
import type { AnyFact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { memo } from "../map/memo.ts"
import { projectCommands } from "./commands.ts"
import type { ProjectCommand, Purpose } from "./model.ts"
import { segmentsOf } from "./scripts.ts"

const MOST = 20

const depth = (folder: string): number => folder === "." ? 0 : folder.split("/").length

/** Of the outermost folders that have one: commands of folders further in are run by those, or are parts of them. */
const outermost = (commands: ReadonlyArray<ProjectCommand>): ReadonlyArray<ProjectCommand> => {
  const least = commands.reduce((found, { folder }) => Math.min(found, depth(folder)), Infinity)
  return commands.filter(({ folder }) => depth(folder) === least)
}

/** Commands whose script another of them runs already are left out. */
const withoutParts = (project: Project, commands: ReadonlyArray<ProjectCommand>): ReadonlyArray<ProjectCommand> => {
  const parts = new Set<AnyFact>(
    commands.flatMap(({ evidence: [other] }) =>
      other.kind === "script" ? segmentsOf(project, other).flatMap(({ script }) => script === other ? [] : [script]) : []
    )
  )
  return commands.filter(({ evidence: [script] }) => !parts.has(script))
}

const byPurpose: (project: Project) => ReadonlyMap<Purpose, ReadonlyArray<ProjectCommand>> = memo((project) =>
  new Map(
    Array.from(Map.groupBy(projectCommands(project), ({ purpose }) => purpose), ([purpose, commands]) => [
      purpose,
      outermost(commands).toSorted((one, other) =>
        byText(one.folder, other.folder) || one.command.length - other.command.length || byText(one.command, other.command)
      )
    ])
  )
)

const commandsOf = (project: Project, purpose: Purpose): ReadonlyArray<ProjectCommand> => byPurpose(project).get(purpose) ?? []

/** One command a purpose and folder. */
export const checksOf = (project: Project, purposes: ReadonlyArray<Purpose>): ReadonlyArray<ProjectCommand> =>
  withoutParts(
    project,
    purposes.flatMap((purpose) =>
      [...Map.groupBy(commandsOf(project, purpose), ({ folder }) => folder).values()].flatMap((ofFolder) => ofFolder.slice(0, 1))
    )
  ).slice(0, MOST)

export const quickChecks = (project: Project): ReadonlyArray<ProjectCommand> => checksOf(project, ["typecheck", "check", "lint", "test"])

/** All of them, and before them what is generated and built. */
export const fullChecks: (project: Project) => ReadonlyArray<ProjectCommand> = memo((project) =>
  withoutParts(
    project,
    (["generate", "typecheck", "check", "lint", "build", "test"] as const).flatMap((purpose) => commandsOf(project, purpose))
  ).slice(0, MOST)
)

/** What a script comes to, as a comment. */
export const runsComment = (project: Project, first: AnyFact): ReadonlyArray<CodeLine> =>
  first.kind === "script" ? [comment("#", clip(segmentsOf(project, first).map(({ text }) => text).join(" && "), 160))] : []
