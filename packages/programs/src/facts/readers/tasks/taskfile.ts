/** Tasks of Task (Taskfile.yml), and of deno.json. */
import { type AnyFact, fact } from "../../model.ts"
import { clip } from "../../text.ts"
import { jsonTree } from "../../trees/json.ts"
import { itemsOf, membersOf, textOf, type Tree } from "../../trees/tree.ts"
import { yamlTree } from "../../trees/yaml.ts"
import { treeReader } from "../reader.ts"

const LONGEST_COMMAND = 500

const commandsOf = (task: Tree): ReadonlyArray<string> => {
  const items = task.type === "table" ? [...itemsOf(task, "cmd"), ...itemsOf(task, "cmds")] : itemsOf(task)
  return items.flatMap((item) => {
    const called = textOf(item, "task")
    return (item.type === "scalar" ? item.text : textOf(item, "cmd")) ?? (called === null ? [] : `task ${called}`)
  })
}

const scripts = (runner: string, tree: Tree): ReadonlyArray<AnyFact> =>
  membersOf(tree, "tasks").map(({ name, span, value }) => {
    const command = value.type === "table" ? textOf(value, "command") : null
    return fact("script", clip(name), { runner, command: clip(command ?? commandsOf(value).join(" && "), LONGEST_COMMAND) }, span)
  })

export const taskfile = treeReader(/(?:^|\/)[Tt]askfile(?:\.dist)?\.ya?ml$/u, yamlTree, (root) => scripts("task", root))
export const denoTasks = treeReader(/(?:^|\/)deno\.jsonc?$/u, jsonTree, (root) => scripts("deno", root))
