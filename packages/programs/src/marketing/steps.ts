/** The way of somebody who comes to use the product: routes, pages, packages and commands, by the step that each is. */
import { code } from "../claims/inline.ts"
import type { AnyFact, Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { callsBelow } from "../map/calls.ts"
import { memo } from "../map/memo.ts"
import { entriesOf } from "../map/packages.ts"
import { handlerOf, isTestFile, lineOf, pathOf, routesOf, type SymbolFact } from "../map/uses.ts"

export const stepNames = ["arrive", "install", "sign up", "sign in", "choose", "pay", "use", "leave"] as const
export type StepName = (typeof stepNames)[number]

export interface FunnelStep {
  readonly step: StepName
  /** What it is entered by, as Markdown. */
  readonly text: string
  readonly fact: AnyFact
  /** Functions that run below it. */
  readonly symbols: ReadonlyArray<SymbolFact | Fact<"route">>
}

/** Words of paths and names, by step; the first step that fits counts. */
const WORDS: ReadonlyArray<readonly [step: StepName, words: RegExp]> = [
  ["leave", /cancel|unsubscribe|refund|downgrade|close-?account|deactivate/iu],
  ["pay", /checkout|payments?(?![a-z])|\bpay\b|charge|subscri|invoice|billing|orders?(?![a-z])|purchase/iu],
  ["sign up", /sign-?up|register|registration|\bjoin\b|onboard|invit/iu],
  ["sign in", /log-?in|sign-?in|sessions?(?![a-z])|\bauth\b|oauth|password/iu],
  ["choose", /\bcart\b|basket|plans?(?![a-z])|pricing|products?(?![a-z])|catalog|quotes?(?![a-z])/iu],
  ["arrive", /^(?:GET |ANY )?\/$|landing|index\.html?$|welcome|\bhome\b/iu]
]

const stepOf = (text: string): StepName | undefined => WORDS.find(([, words]) => words.test(text))?.[0]

const ofRoutes = (project: Project): ReadonlyArray<FunnelStep> =>
  routesOf(project).flatMap((route) => {
    const step = stepOf(route.subject)
    if (step === undefined) return []
    const symbols = callsBelow(project, handlerOf(project, route) ?? route).map(({ symbol }) => symbol)
    return [{ step, text: code(route.subject), fact: route, symbols }]
  })

const ofPages = (project: Project): ReadonlyArray<FunnelStep> =>
  project.facts("element").filter((one) => (one.subject === "title" || one.subject === "h1") && !isTestFile(project, pathOf(one)))
    .flatMap((element) => {
      const step = stepOf(pathOf(element).slice(pathOf(element).lastIndexOf("/") + 1))
      return step === undefined || pathOf(element).endsWith(".svg")
        ? []
        : [{ step, text: `${code(pathOf(element))}: ${code(element.value.text, 60)}`, fact: element, symbols: [] }]
    })

const INSTALLERS = [
  "npm (?:i|install|add)",
  "npx",
  "(?:yarn|pnpm|bun|uv) add",
  "pip install",
  "cargo (?:add|install)",
  "go (?:get|install)",
  "gem install",
  "composer require",
  "brew install",
  "docker (?:pull|run)"
]
/** The first line of an example that installs something. */
const INSTALLS = new RegExp(String.raw`^\s*(?:\$ )?((?:${INSTALLERS.join("|")}) [^\n]{1,80})`, "mu")

const ofInstalls = (project: Project): ReadonlyArray<FunnelStep> =>
  project.facts("code-block").filter((block) => /^readme|^docs\//iu.test(pathOf(block))).flatMap((block) => {
    const line = INSTALLS.exec(block.value.text)?.[1]
    return line === undefined ? [] : [{ step: "install" as const, text: code(line, 80), fact: block, symbols: [] }]
  })

const ofCommands = (project: Project): ReadonlyArray<FunnelStep> => [
  ...entriesOf(project).filter(({ name }) => /^(?:bin|scripts)(?:\.|$)/u.test(name)).map(({ fact, name, target }) => ({
    step: "use" as const,
    text: `${code(name.replace(/^\w+\./u, ""), 60)} starts ${code(target, 80)}`,
    fact,
    symbols: []
  })),
  ...project.facts("command").filter((command) => !isTestFile(project, pathOf(command))).map((command) => ({
    step: stepOf(command.subject) ?? "use",
    text: `${code(command.subject, 60)}${command.value.description === null ? "" : `: ${code(clip(command.value.description, 80))}`}`,
    fact: command,
    symbols: []
  }))
]

/** In the order of the way; within a step in the order of places. */
export const funnelOf: (project: Project) => ReadonlyArray<FunnelStep> = memo((project) => {
  const all = [...ofPages(project), ...ofInstalls(project), ...ofRoutes(project), ...ofCommands(project)]
  const groups = Map.groupBy(all, ({ step }) => step)
  return stepNames.flatMap((step) => groups.get(step) ?? [])
})

const stands = (one: Fact, symbol: Fact): boolean =>
  pathOf(one) === pathOf(symbol) && lineOf(one) >= lineOf(symbol) && lineOf(one) <= symbol.evidence[0].end_line

/** Facts of a kind in the functions below a step; where these are not known, in the file that it stands in. */
export const factsBelow = <K extends "tracking" | "mail" | "flag" | "error">(
  project: Project,
  kind: K,
  { fact, symbols }: FunnelStep
): ReadonlyArray<Fact<K>> => {
  const known = symbols.flatMap((symbol) => project.factsOf(pathOf(symbol), kind).filter((one) => stands(one, symbol)))
  return symbols.length > 0 ? [...new Set(known)] : project.factsOf(pathOf(fact), kind)
}

/** Events that are tracked outside of tests. */
export const eventsOf = (project: Project): ReadonlyArray<Fact<"tracking">> =>
  project.facts("tracking").filter((event) => !isTestFile(project, pathOf(event)))
