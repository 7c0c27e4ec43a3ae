/** go.mod. Its requirements are the versions that are used; go.sum holds sums of more versions than those, and gives no facts. */
import { linesWithSpans } from "../../lines.ts"
import { type AnyFact, fact, type Span } from "../../model.ts"
import { clip } from "../../text.ts"
import { dependencyFact, manifestFact, readerOf } from "../reader.ts"

const required = (rest: string, span: Span): ReadonlyArray<AnyFact> => {
  const [, name, version, comment = ""] = /^(\S+)\s+(v\S+)([^]*)$/u.exec(rest) ?? []
  if (name === undefined || version === undefined) return []
  const direct = !/\/\/\s*indirect/u.test(comment)
  const locked = fact("locked", clip(name), { ecosystem: "go", version: clip(version), direct }, span)
  return direct ? [dependencyFact(name, span, { ecosystem: "go", range: version, scope: "runtime" }), locked] : [locked]
}

const named = (directive: string, rest: string, span: Span): ReadonlyArray<AnyFact> =>
  directive === "require"
    ? required(rest, span)
    : directive === "replace" || directive === "tool" || directive === "toolchain"
    ? [fact("setting", "go", { name: directive, value: clip(rest) }, span)]
    : []

export const goMod = readerOf(/(?:^|\/)go\.mod$/u, (path, text) => {
  const facts: Array<AnyFact> = []
  let block = ""
  let module: { readonly name: string; readonly span: Span } | undefined
  let go: string | undefined
  for (const { span, text: line } of linesWithSpans(path, text)) {
    const trimmed = line.trim()
    if (trimmed === ")") block = ""
    else if (block !== "") facts.push(...named(block, trimmed, span))
    else {
      const [, directive = "", rest = ""] = /^([a-z]+)\s+(\S[^]*)$/u.exec(trimmed) ?? []
      if (rest === "(") block = directive
      else if (directive === "module") module = { name: rest, span }
      else if (directive === "go") {
        go = rest
        facts.push(fact("setting", "go", { name: "version", value: clip(rest) }, span))
      } else facts.push(...named(directive, rest, span))
    }
  }
  if (module === undefined) return facts
  const requires = go === undefined ? [] : [`go ${clip(go)}`]
  return [manifestFact(clip(module.name), module.span, { ecosystem: "go", requires }), ...facts]
})
