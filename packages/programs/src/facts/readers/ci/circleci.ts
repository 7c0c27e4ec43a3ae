/** Pipelines of CircleCI. */
import type { AnyFact } from "../../model.ts"
import { find, itemsOf, membersOf, textOf, type Tree } from "../../trees/tree.ts"
import { yamlTree } from "../../trees/yaml.ts"
import { treeReader } from "../reader.ts"
import { stepsOf, trigger } from "./step.ts"

/** `checkout`, `run: npm test`, `run: { name, command }` or `orb/command: …`. */
const steps = (path: string, job: string, list: ReadonlyArray<Tree>): ReadonlyArray<AnyFact> =>
  list.flatMap((one) => {
    const plain = textOf(one)
    if (plain !== null) return stepsOf(path, one.span, { job, uses: plain })
    return membersOf(one).flatMap(({ name, span, value }) =>
      name === "run"
        ? stepsOf(path, span, { job, name: textOf(value, "name"), run: value.type === "scalar" ? value : find(value, "command") })
        : stepsOf(path, span, { job, uses: name })
    )
  })

export const circleci = treeReader(/(?:^|\/)\.circleci\/[^/]+\.ya?ml$/u, yamlTree, (root, path) => [
  ...[...membersOf(root, "jobs"), ...membersOf(root, "commands")].flatMap(({ name, value }) => steps(path, name, itemsOf(value, "steps"))),
  ...membersOf(root, "workflows").flatMap(({ name, value }) =>
    itemsOf(value, "triggers").flatMap((one) => {
      const cron = textOf(one, "schedule", "cron")
      return cron === null ? [] : [trigger(path, one.span, `${name}: schedule ${cron}`)]
    })
  )
])
