/** Services of compose files: each setting of a service, and each item of a list. */
import { type AnyFact, fact } from "../../model.ts"
import { clip } from "../../text.ts"
import type { Member, Tree } from "../../trees/tree.ts"
import { membersOf } from "../../trees/tree.ts"
import { yamlTree } from "../../trees/yaml.ts"
import { treeReader } from "../reader.ts"

const written = (value: Tree): string =>
  value.type === "scalar"
    ? value.text
    : value.type === "list"
    ? value.items.map(written).join(", ")
    : value.members.map(({ name, value }) => `${name} ${written(value)}`.trim()).join(", ")

const settings = (service: string, { name, span, value }: Member): ReadonlyArray<AnyFact> => {
  const parts = value.type === "list"
    ? value.items.map((item) => ({ text: written(item), span: item.span }))
    : value.type === "table"
    ? value.members.map((member) => ({ text: `${member.name}: ${written(member.value)}`, span: member.span }))
    : [{ text: value.text, span }]
  return parts.map(({ span, text }) => fact("container", clip(service), { instruction: clip(name), value: clip(text) }, span))
}

export const compose = treeReader(
  /(?:^|\/)(?:docker-)?compose(?:\.[\w-]+)?\.ya?ml$/u,
  yamlTree,
  (root) => membersOf(root, "services").flatMap((service) => membersOf(service.value).flatMap((member) => settings(service.name, member)))
)
