/** Pipelines of Azure. */
import type { AnyFact } from "../../model.ts"
import { find, itemsOf, type Member, memberOf, textOf, type Tree } from "../../trees/tree.ts"
import { yamlTree } from "../../trees/yaml.ts"
import { treeReader } from "../reader.ts"
import { stepsOf, trigger, triggersOf } from "./step.ts"

const SHELLS = ["script", "bash", "pwsh", "powershell"]
const USES = ["task", "checkout", "template", "download", "publish"]

const steps = (path: string, job: string, list: ReadonlyArray<Tree>): ReadonlyArray<AnyFact> =>
  list.flatMap((one) => {
    const run = SHELLS.map((shell) => find(one, shell)).find((found) => found !== undefined)
    const uses = USES.map((use) => textOf(one, use)).find((name) => name !== null) ?? null
    return stepsOf(path, one.span, { job, name: textOf(one, "displayName"), run, uses })
  })

const jobOf = (tree: Tree): string => textOf(tree, "job") ?? textOf(tree, "deployment") ?? "job"

const DEPLOYS = ["strategy", "runOnce", "deploy"]

/** Steps stand in jobs, jobs in stages, and either may be left out. */
const jobsOf = (path: string, holder: Tree): ReadonlyArray<AnyFact> =>
  itemsOf(holder, "jobs").flatMap((job) => steps(path, jobOf(job), [...itemsOf(job, "steps"), ...itemsOf(find(job, ...DEPLOYS), "steps")]))

const triggerNamed = (path: string, member: Member | undefined): ReadonlyArray<AnyFact> =>
  member === undefined ? [] : member.value.type === "table"
    ? triggersOf(path, member.value).map((found) => trigger(path, found.evidence[0], `${member.name}: ${found.value.on}`))
    : itemsOf(member.value).map((item) => trigger(path, item.span, `${member.name}: ${textOf(item) ?? ""}`))

export const azure = treeReader(/(?:^|\/)azure-pipelines[^/]*\.ya?ml$/u, yamlTree, (root, path) => [
  ...["trigger", "pr"].flatMap((name) => triggerNamed(path, memberOf(root, name))),
  ...itemsOf(root, "schedules").map((one) => trigger(path, one.span, `schedule: ${textOf(one, "cron") ?? ""}`)),
  ...steps(path, "job", itemsOf(root, "steps")),
  ...jobsOf(path, root),
  ...itemsOf(root, "stages").flatMap((stage) => jobsOf(path, stage))
])
