/** A command for each resource of the contract, with a subcommand for each of its endpoints: nothing of them is written by hand. */
import type { EndpointFacts } from "@svc/desk/api/endpoints"
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { show, showList } from "../resources/answers.ts"
import { callOf, DEFAULT_ROWS, isList, numberOf, textOf } from "../resources/calls.ts"
import { type Resource, resources, type Verb } from "../resources/contract.ts"
import { requestFlags } from "../resources/request.ts"

/** The parameters of a path, as arguments in its order. */
const parametersOf = (path: string): ReadonlyArray<string> => Array.from(path.matchAll(/:(\w+)/gu), ([, name = ""]) => name)

const pathFor = (path: string, values: Readonly<Record<string, string>>): string =>
  path.replaceAll(/:(\w+)/gu, (_, name: string) => encodeURIComponent(values[name] ?? ""))

const commandOf = (verb: Verb) => {
  const { facts, read, ...typed } = callOf(verb)
  const names = parametersOf(facts.path)
  const params: Readonly<Record<string, Argument.Argument<string>>> = Object.fromEntries(
    names.map((name) => [name, Argument.String(name.replaceAll("_", "-"))])
  )
  return Command.make(
    verb.name,
    { params, ...typed, request: requestFlags },
    Effect.fnUntraced(function*({ fields, own, params, request }) {
      const call = yield* read(pathFor(facts.path, params), { fields, own })
      if (!isList(facts)) return yield* show(verb.group, call, request, textOf(own, "output"))
      const isAll = Option.contains(own["all"] ?? Option.none(), true)
      const limit = isAll ? Number.POSITIVE_INFINITY : numberOf(own, "limit") ?? DEFAULT_ROWS
      yield* showList(verb.group, call, request, { limit, hasCursors: Object.hasOwn(facts.query, "after") })
    })
  ).pipe(
    Command.withShortDescription(verb.summary),
    Command.withDescription(`${verb.summary}. ${verb.description}\n\n${facts.method} ${facts.path}${scopeOf(facts)}`)
  )
}

const scopeOf = ({ realm, scope }: EndpointFacts): string =>
  realm === "installation" ? ", with an operator key" : scope === undefined ? "" : `, with the scope ${scope}`

const commandsOf = ({ name, summary, verbs }: Resource) =>
  Command.make(name).pipe(Command.withDescription(summary), Command.withSubcommands(verbs.map(commandOf)))

/** The command of a resource. Throws a RangeError, a defect, for a name that the contract has not. */
export const resource = (name: string) => {
  const found = resources.find((each) => each.name === name)
  if (found === undefined) throw new RangeError(`no resource is called ${name}: npm run generate lists them anew`)
  return commandsOf(found)
}
