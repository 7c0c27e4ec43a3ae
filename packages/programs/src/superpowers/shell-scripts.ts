/** verify.sh, verify-full.sh and .githooks/pre-push: green when the repository's own checks are, red when one of them is not. */
import { citedLine, codeFile, type CodeLine, comments, shellPath } from "../claims/comments.ts"
import { absence, type Artifact } from "../claims/model.ts"
import type { Project } from "../facts/project.ts"
import { fullChecks, quickChecks, runsComment } from "../skills/checks.ts"
import type { ProjectCommand } from "../skills/model.ts"

const START: ReadonlyArray<CodeLine> = [{ text: "#!/usr/bin/env bash" }, { text: "set -euo pipefail" }]

/** What the repository's script comes to stands in a comment. */
const lineOf = (project: Project) => ({ command, evidence, folder }: ProjectCommand): ReadonlyArray<CodeLine> => {
  const [first] = evidence
  return [
    ...runsComment(project, first),
    citedLine("#", folder === "." ? command : `(cd ${shellPath(folder)} && ${command})`, evidence)
  ]
}

const none = (project: Project, exit: 0 | 1): Artifact =>
  codeFile([
    ...START,
    ...comments("#", [absence("No script of a test, a type check, a build or a linter.", project.searched())]),
    { text: "echo 'nothing to verify' >&2" },
    { text: `exit ${exit}` }
  ])

const script = (checks: (project: Project) => ReadonlyArray<ProjectCommand>) => (project: Project): Artifact => {
  const commands = checks(project)
  if (commands.length === 0) return none(project, 1)
  return codeFile([...START, { text: `cd "$(dirname "$0")"` }, ...commands.flatMap(lineOf(project))])
}

export const verify = script(quickChecks)
export const verifyFull = script(fullChecks)

/** Git tells of each ref on a line; deleting one changes nothing that can be checked. */
const PUSHED: CodeLine = { text: "grep -qv '^(delete) ' || exit 0" }

export const prePush = (project: Project): Artifact => {
  const commands = quickChecks(project)
  if (commands.length === 0) return none(project, 0)
  return codeFile([...START, PUSHED, { text: `cd "$(git rev-parse --show-toplevel)"` }, ...commands.flatMap(lineOf(project))])
}
