/** Steps and triggers of continuous integration. */
import { type Fact, fact, type FactValues, type Span } from "../../model.ts"
import { clip } from "../../text.ts"
import { itemsOf, membersOf, textOf, textsOf, type Tree } from "../../trees/tree.ts"

const LONGEST_COMMAND = 500

type Step = Partial<FactValues["ci-step"]> & Pick<FactValues["ci-step"], "job">

const step = (workflow: string, span: Span, { job, name = null, run = null, uses = null }: Step): Fact<"ci-step"> =>
  fact("ci-step", workflow, { job: clip(job), name, run, uses }, span)

/** A line that is no command of its own: a part of a loop or condition, of a text, or of the line before or after. */
const PART = /^(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|function|[{}()|&])(?![\w-])|<<|[\\|&({]$|^[\w-]+\(\)/u

/** Commands of a script, each with its lines; a script that is more than a command a line stays whole. */
export const commandsOf = (tree: Tree | undefined): ReadonlyArray<{ readonly run: string; readonly span: Span }> => {
  if (tree?.type !== "scalar" || tree.text.trim() === "") return []
  const { span, text } = tree
  const lines = text.trimEnd().split("\n").map((line) => line.trim())
  const stands = span.end_line - span.start_line === lines.length
  if (lines.length === 1 || !stands || lines.some((line) => PART.test(line))) return [{ run: clip(text, LONGEST_COMMAND), span }]
  return lines.flatMap((line, at) => {
    const own = span.start_line + 1 + at
    return line === "" || line.startsWith("#")
      ? []
      : [{ run: clip(line, LONGEST_COMMAND), span: { ...span, start_line: own, end_line: own } }]
  })
}

/** A fact for each command of a script, and one for what a step uses. */
export const stepsOf = (
  workflow: string,
  whole: Span,
  { run, ...said }: Omit<Step, "run"> & { readonly run?: Tree | undefined }
): ReadonlyArray<Fact<"ci-step">> => {
  const commands = commandsOf(run)
  const [only] = commands
  if (only === undefined) return said.uses == null ? [] : [step(workflow, whole, said)]
  return commands.length === 1
    ? [step(workflow, whole, { ...said, run: only.run })]
    : commands.map(({ run, span }) => step(workflow, span, { ...said, run }))
}

export const trigger = (workflow: string, span: Span, on: string): Fact<"ci-trigger"> =>
  fact("ci-trigger", workflow, { on: clip(on) }, span)

/** Such as `branches main, next; paths src/**`: what narrows a trigger. */
const narrowed = (tree: Tree): string =>
  tree.type !== "table" ? textsOf(tree).join(", ") : tree.members.map(({ name, value }) => `${name} ${narrowed(value)}`.trim()).join("; ")

/** Triggers as a name, a list of names, or a table of what narrows each. */
export const triggersOf = (workflow: string, tree: Tree | undefined): ReadonlyArray<Fact<"ci-trigger">> => {
  if (tree?.type !== "table") {
    return itemsOf(tree).flatMap((item) => {
      const name = textOf(item)
      return name === null ? [] : [trigger(workflow, item.span, name)]
    })
  }
  return membersOf(tree).flatMap(({ name, span, value }) => {
    if (value.type !== "list") return [trigger(workflow, span, [name, narrowed(value)].filter((part) => part !== "").join(": "))]
    return value.items.map((item) => trigger(workflow, item.span, `${name}: ${narrowed(item)}`))
  })
}
