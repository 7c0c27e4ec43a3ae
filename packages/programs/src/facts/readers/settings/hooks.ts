/** Hooks of git: husky, lefthook and pre-commit. */
import { posix } from "node:path"
import { linesWithSpans } from "../../lines.ts"
import { fact } from "../../model.ts"
import { clip } from "../../text.ts"
import { itemsOf, memberOf, membersOf, textOf } from "../../trees/tree.ts"
import { yamlTree } from "../../trees/yaml.ts"
import { readerOf, treeReader } from "../reader.ts"
import { settingFacts } from "./setting.ts"

/** A hook of husky is a script that is called as the hook. */
const husky = readerOf(
  /(?:^|\/)\.husky\/[a-z-]+$/u,
  (path, text) =>
    linesWithSpans(path, text).filter((line) => !/^\s*(?:#|\.\s|$)/u.test(line.text)).map((line) =>
      fact("setting", "husky", { name: posix.basename(path), value: clip(line.text) }, line.span)
    )
)

const lefthook = treeReader(/(?:^|\/)\.?lefthook\.ya?ml$/u, yamlTree, (root) =>
  membersOf(root).flatMap((hook) => {
    const commands = [...membersOf(hook.value, "commands").map(({ value }) => value), ...itemsOf(hook.value, "jobs")]
    if (commands.length === 0) return settingFacts("lefthook", hook)
    return commands.flatMap((command) => {
      const run = memberOf(command, "run")
      return run === undefined ? [] : [fact("setting", "lefthook", { name: clip(hook.name), value: textOf(run.value) ?? "" }, run.span)]
    })
  }))

/** Each hook with the repository that it comes from. */
const preCommit = treeReader(
  /(?:^|\/)\.pre-commit-config\.ya?ml$/u,
  yamlTree,
  (root) =>
    itemsOf(root, "repos").flatMap((repository) =>
      itemsOf(repository, "hooks").flatMap((hook) => {
        const id = memberOf(hook, "id")
        const from = textOf(repository, "repo") ?? ""
        return id === undefined
          ? []
          : [fact("setting", "pre-commit", { name: textOf(id.value) ?? "", value: textOf(hook, "entry") ?? from }, id.span)]
      })
    )
)

export const hooks = [husky, lefthook, preCommit]
