/** pnpm-workspace.yaml: which folders are packages, and versions that they share. */
import { fact } from "../../model.ts"
import { clip } from "../../text.ts"
import { itemsOf, membersOf, textOf } from "../../trees/tree.ts"
import { yamlTree } from "../../trees/yaml.ts"
import { treeReader } from "../reader.ts"
import { settingFacts } from "../settings/setting.ts"

export const pnpmWorkspace = treeReader(/(?:^|\/)pnpm-workspace\.ya?ml$/u, yamlTree, (root) => [
  ...itemsOf(root, "packages").flatMap((item) => {
    const folder = textOf(item)
    return folder === null ? [] : [fact("setting", "pnpm", { name: "packages", value: clip(folder) }, item.span)]
  }),
  ...membersOf(root).filter(({ name }) => name !== "packages").flatMap((member) => settingFacts("pnpm", member))
])
