/** Pipelines of GitLab. */
import type { AnyFact } from "../../model.ts"
import { find, itemsOf, type Member, membersOf, textOf, type Tree } from "../../trees/tree.ts"
import { yamlTree } from "../../trees/yaml.ts"
import { treeReader } from "../reader.ts"
import { stepsOf, trigger, triggersOf } from "./step.ts"

/** Top names that are no jobs. */
const KEYWORDS: ReadonlySet<string> = new Set(["cache", "include", "stages", "variables", "workflow"])

const SCRIPTS = ["before_script", "script", "after_script"]

/** Scripts may be lists within lists, as aliases make them. */
const commands = (tree: Tree | undefined): ReadonlyArray<Tree> =>
  itemsOf(tree).flatMap((item) => item.type === "list" ? commands(item) : [item])

const scripts = (path: string, { name, value }: Member): ReadonlyArray<AnyFact> =>
  SCRIPTS.flatMap((script) =>
    commands(find(value, script)).flatMap((run) => stepsOf(path, run.span, { job: name, name: script === "script" ? null : script, run }))
  )

const conditions = (path: string, rules: ReadonlyArray<Tree>): ReadonlyArray<AnyFact> =>
  rules.flatMap((rule) => {
    const condition = find(rule, "if")
    const text = textOf(condition)
    return condition === undefined || text === null ? [] : [trigger(path, condition.span, text)]
  })

export const gitlab = treeReader(/(?:^|\/)\.gitlab-ci\.ya?ml$/u, yamlTree, (root, path) => [
  ...conditions(path, itemsOf(root, "workflow", "rules")),
  ...membersOf(root).filter(({ name }) => !KEYWORDS.has(name)).flatMap((member) => [
    ...scripts(path, member),
    ...triggersOf(path, find(member.value, "only")),
    ...conditions(path, itemsOf(member.value, "rules"))
  ])
])
