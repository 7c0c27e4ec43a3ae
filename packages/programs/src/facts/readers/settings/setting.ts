/** Settings of tools: each value of a tree by the way to it, such as `compilerOptions.strict`. */
import { type Fact, fact } from "../../model.ts"
import { clip } from "../../text.ts"
import type { Member, Tree } from "../../trees/tree.ts"

/** More settings of one file say no more of how a project works. */
const MOST = 500

const isScalars = (value: Tree): boolean => value.type === "list" && value.items.every(({ type }) => type === "scalar")

const written = (value: Tree): string =>
  value.type === "scalar" ? value.text : value.type === "list" ? value.items.map(written).join(", ") : ""

/** The settings within a member; its own name, where it has one, is the first part of theirs. */
export const settingFacts = (tool: string, root: Pick<Member, "name" | "span" | "value">): ReadonlyArray<Fact<"setting">> => {
  const facts: Array<Fact<"setting">> = []
  const walk = (name: string, { span, value }: Pick<Member, "span" | "value">): void => {
    if (facts.length >= MOST) return
    if (value.type === "table") {
      for (const member of value.members) walk(clip(name === "" ? member.name : `${name}.${member.name}`), member)
    } else if (value.type === "scalar" || isScalars(value)) {
      facts.push(fact("setting", tool, { name, value: clip(written(value)) }, span))
    } else {
      for (const [at, item] of value.items.entries()) walk(`${name}[${at}]`, { span: item.span, value: item })
    }
  }
  walk(root.name, root)
  return facts
}

/** All of a file. */
export const settingsOf = (tool: string, tree: Tree): ReadonlyArray<Fact<"setting">> =>
  settingFacts(tool, { name: "", span: tree.span, value: tree })
