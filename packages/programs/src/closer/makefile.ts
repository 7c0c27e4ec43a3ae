/** Makefile: a target for each thing that the repository's own commands do; `make -n TARGET` shows it, `make TARGET` runs it. */
import { citedLine, codeFile, type CodeLine, comments } from "../claims/comments.ts"
import { absence, type Artifact, claim, type Evidence } from "../claims/model.ts"
import { planOf } from "../delivery/plan.ts"
import type { Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { fullChecks } from "../skills/checks.ts"
import { installCommands, productPlans, startCommand, within } from "./plans.ts"

interface Step {
  readonly target: string
  readonly command: string
  readonly evidence: Evidence
}

const OWN = /^(?:GNUmakefile|[Mm]akefile)$/u

/** The repository's own targets in its root: a file of the same name that called them would call itself. */
const ownTargets = (project: Project): ReadonlyArray<Fact<"script">> =>
  project.facts("script").filter(({ evidence: [{ path }], value: { runner } }) => runner === "make" && OWN.test(path))

const installs = (project: Project): ReadonlyArray<Step> =>
  productPlans(project).flatMap((plan) =>
    plan.install === undefined
      ? []
      : [{ target: "install", command: within(plan.root, installCommands(plan).join(" && ")), evidence: plan.install.evidence }]
  )

/** What starting needs. */
const builds = (project: Project): ReadonlyArray<Step> => {
  const plan = planOf(project)
  if (plan?.build === undefined || plan.output === undefined) return []
  return [{ target: "build", command: within(plan.folder, plan.build.value), evidence: plan.build.evidence }]
}

const checks = (project: Project): ReadonlyArray<Step> =>
  fullChecks(project).map(({ command, evidence, folder, purpose }) => ({ target: purpose, command: within(folder, command), evidence }))

const starts = (project: Project): ReadonlyArray<Step> => {
  const plan = planOf(project)
  if (plan?.start === undefined) return []
  return [{ target: "start", command: startCommand(plan), evidence: plan.start.evidence }]
}

/** Make reads `$` wherever it stands, in comments of a recipe, too; `+` before a command runs it even under `make -n`. */
const recipeLine = ({ command, evidence }: Step): CodeLine => {
  const line = citedLine("#", `\t${command.replace(/^[@+-][^\s']*/u, "'$&'")}`, evidence)
  return { ...line, text: line.text.replaceAll("$", "$$$$") }
}

const unique = (steps: ReadonlyArray<Step>): ReadonlyArray<Step> => [...new Map(steps.map((step) => [step.command, step])).values()]

export const makefile = (project: Project): Artifact => {
  const [own] = ownTargets(project)
  const steps = [...installs(project), ...builds(project), ...checks(project), ...starts(project)]
    .filter(({ command }) => own === undefined || !/(?:^|&& )make /u.test(command))
  const targets = Array.from(Map.groupBy(steps, ({ target }) => target))
  const said = [
    ...own === undefined ? [] : [claim("The repository has a Makefile: run this one by make -f, and that one's targets by itself.", own)],
    ...targets.length > 0 ? [] : [absence("No command installs, builds, tests or starts anything.", project.searched())]
  ]
  return codeFile([
    ...comments("#", said),
    { text: `.PHONY: ${targets.length === 0 ? "all" : targets.map(([target]) => target).join(" ")}` },
    ...targets.length === 0 ? [{ text: "all:" }] : [],
    ...targets.flatMap(([target, group]) => [{ text: "" }, { text: `${target}:` }, ...unique(group).map(recipeLine)])
  ])
}
