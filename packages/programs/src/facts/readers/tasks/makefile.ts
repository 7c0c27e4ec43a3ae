/** Targets of a Makefile and recipes of a justfile. */
import { type Line, linesWithSpans, through } from "../../lines.ts"
import { type AnyFact, fact, type Span } from "../../model.ts"
import { clip } from "../../text.ts"
import { readerOf } from "../reader.ts"

const LONGEST_COMMAND = 500

interface Recipe {
  readonly names: ReadonlyArray<string>
  readonly head: Span
  readonly commands: Array<Line>
}

/** A recipe runs line by line and ends at the first that fails, which is what `&&` says. `@` only keeps a line from being shown. */
const scriptsOf = (runner: string, { commands, head, names }: Recipe): ReadonlyArray<AnyFact> => {
  const command = commands.map(({ text }) => text.trim().replace(/^[@-]+/u, "")).join(" && ")
  const span = through(head, commands.at(-1)?.span ?? head)
  return names.map((name) => fact("script", clip(name), { runner, command: clip(command, LONGEST_COMMAND) }, span))
}

const recipes = (runner: string, namesIn: (line: string) => ReadonlyArray<string> | undefined) => (path: string, text: string) => {
  const found: Array<Recipe> = []
  let open: Recipe | undefined
  for (const line of linesWithSpans(path, text)) {
    if (line.text.trim() === "" || line.text.trimStart().startsWith("#")) continue
    if (/^\s/u.test(line.text)) {
      open?.commands.push(line)
      continue
    }
    const names = namesIn(line.text)
    open = names === undefined || names.length === 0 ? undefined : { names, head: line.span, commands: [] }
    if (open !== undefined) found.push(open)
  }
  return found.flatMap((recipe) => scriptsOf(runner, recipe))
}

/** Names before the colon, without patterns, variables and names that are special to make. */
const targetsIn = (line: string): ReadonlyArray<string> | undefined =>
  /^([^:=#]+):(?![:=])/u.exec(line)?.[1]?.split(/\s+/u).filter((name) => /^[\w/][\w./-]*$/u.test(name))

const recipeIn = (line: string): ReadonlyArray<string> | undefined => {
  const name = /^@?([A-Za-z_][\w-]*)(?:\s[^:]*)?:(?!=)/u.exec(line)?.[1]
  return name === undefined ? undefined : [name]
}

export const makefile = readerOf(/(?:^|\/)(?:GNUmakefile|[Mm]akefile|[^/]+\.mk)$/u, recipes("make", targetsIn))
export const justfile = readerOf(/(?:^|\/)\.?[Jj]ustfile$/u, recipes("just", recipeIn))
