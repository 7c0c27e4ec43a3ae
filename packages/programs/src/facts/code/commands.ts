/** Commands that a program gives to its command line. */
import { type AnyFact, fact } from "../model.ts"
import { clip } from "../text.ts"
import type { Call, Source } from "./language.ts"
import { literal, stringMember } from "./literals.ts"

interface CommandStyle {
  readonly framework: string
  readonly module: RegExp
  readonly callee: RegExp
}

const STYLES: ReadonlyArray<CommandStyle> = [
  { framework: "commander", module: /^(?:commander|@commander-js\/)/u, callee: /\.command$/u },
  { framework: "yargs", module: /^yargs/u, callee: /\.command$/u },
  { framework: "cac", module: /^cac$/u, callee: /\.command$/u },
  { framework: "effect", module: /^effect|^@effect\/cli/u, callee: /(?:^|\.)Command\.make$/u },
  { framework: "argparse", module: /^argparse$/u, callee: /\.add_parser$/u },
  { framework: "click", module: /^click$/u, callee: /\.(?:command|group)$/u },
  { framework: "typer", module: /^typer$/u, callee: /\.command$/u }
]

const CALL_DESCRIPTION = /^\s*\.(?:description|describe|summary)\(\s*(["'`])([^"'`]{1,300})\1/u

const descriptionOf = (source: Source, call: Call): string | null => {
  const [, ...rest] = call.arguments
  const after = source.text.slice(call.end, call.end + 400)
  const named = rest.map((one) => stringMember(one, "(?:help|description|describe|short_help)")).find((one) => one !== null)
  return named ?? CALL_DESCRIPTION.exec(after)?.[2] ?? literal(rest[0]) ?? null
}

/** The name that is given, or that of the function which is decorated, as click and typer have it. */
const nameOf = (source: Source, call: Call): string | undefined => {
  const given = literal(call.arguments[0])
  if (given !== undefined || !call.decorates) return given
  return source.decorated(call)?.name.replaceAll("_", "-")
}

const COBRA = /&?cobra\.Command\s{0,9}\{[^{}]{0,200}?\bUse:\s{0,9}"([^"\n]{1,120})"/gu

const ofCobra = (source: Source): ReadonlyArray<AnyFact> =>
  source.language !== "Go" ? [] : Array.from(source.text.matchAll(COBRA), ({ 0: whole, 1: name = "", index }) => {
    const description = /\bShort:\s*"([^"\n]{1,200})"/u.exec(source.text.slice(index, index + 800))?.[1] ?? null
    return fact("command", clip(name), { description, framework: "cobra" }, source.span({ start: index, end: index + whole.length }))
  })

export const commands = (source: Source): ReadonlyArray<AnyFact> => {
  const used = STYLES.filter(({ module }) => source.imports.some(({ target }) => module.test(target)))
  const ofCalls = used.length === 0 ? [] : source.calls.flatMap((call) => {
    const style = used.find(({ callee }) => callee.test(call.callee))
    const name = style === undefined ? undefined : nameOf(source, call)
    if (style === undefined || name === undefined) return []
    const description = descriptionOf(source, call)
    return [
      fact(
        "command",
        clip(name),
        { description: description === null ? null : clip(description), framework: style.framework },
        source.span(call)
      )
    ]
  })
  return [...ofCalls, ...ofCobra(source)]
}
