/** Workflows and actions of GitHub. */
import { posix } from "node:path"
import type { AnyFact } from "../../model.ts"
import { find, itemsOf, memberOf, membersOf, textOf, type Tree } from "../../trees/tree.ts"
import { yamlTree } from "../../trees/yaml.ts"
import { treeReader } from "../reader.ts"
import { stepsOf, triggersOf } from "./step.ts"

const steps = (workflow: string, job: string, list: ReadonlyArray<Tree>): ReadonlyArray<AnyFact> =>
  list.flatMap((one) => stepsOf(workflow, one.span, { job, name: textOf(one, "name"), run: find(one, "run"), uses: textOf(one, "uses") }))

/** A job that calls another workflow has no steps of its own. */
const called = (workflow: string, job: string, value: Tree): ReadonlyArray<AnyFact> => {
  const uses = memberOf(value, "uses")
  return uses === undefined ? [] : stepsOf(workflow, uses.span, { job, name: textOf(value, "name"), uses: textOf(uses.value) })
}

const workflows = treeReader(/(?:^|\/)\.github\/workflows\/[^/]+\.ya?ml$/u, yamlTree, (root, path) => {
  const workflow = textOf(root, "name") ?? posix.basename(path)
  return [
    ...triggersOf(workflow, find(root, "on")),
    ...membersOf(root, "jobs").flatMap(({ name, value }) => [
      ...called(workflow, name, value),
      ...steps(workflow, name, itemsOf(value, "steps"))
    ])
  ]
})

const actions = treeReader(/(?:^|\/)action\.ya?ml$/u, yamlTree, (root, path) => {
  const action = textOf(root, "name") ?? posix.dirname(path)
  return steps(action, "runs", itemsOf(root, "runs", "steps"))
})

export const github = [workflows, actions]
