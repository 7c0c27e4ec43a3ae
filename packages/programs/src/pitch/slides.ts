/** The slides of a pitch: what the project says of itself, what stands in it, what changed, what is missing. Each point has its facts. */
import { code } from "../claims/inline.ts"
import type { AnyFact, Fact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { memo } from "../map/memo.ts"
import { packagesOf } from "../map/packages.ts"
import { isTestFile, pathOf, routesOf } from "../map/uses.ts"
import { count, listed, namesOf } from "../map/words.ts"
import { mostUsed } from "../notebook/most-used.ts"
import { changesOf } from "../wording/changes.ts"
import { audienceOf, statementsOf } from "../wording/statements.ts"

export interface Point {
  readonly text: string
  readonly facts: ReadonlyArray<AnyFact>
}

export interface Slide {
  readonly title: string
  readonly points: ReadonlyArray<Point>
}

const MOST = 5

const statements = (project: Project): ReadonlyArray<Point> =>
  statementsOf(project).slice(0, 2).map(({ fact, text }) => ({ text: code(text, 240), facts: [fact] }))

const audience = (project: Project): ReadonlyArray<Point> =>
  audienceOf(project).slice(0, 2).map((fact) => ({ text: code(fact.value.text, 200), facts: [fact] }))

/** Largest groups first, each with its facts. */
const grouped = <F extends AnyFact>(
  facts: ReadonlyArray<F>,
  keyOf: (fact: F) => string
): ReadonlyArray<readonly [string, ReadonlyArray<F>]> =>
  [...Map.groupBy(facts, keyOf)].toSorted(([one, some], [other, others]) => others.length - some.length || byText(one, other)).slice(
    0,
    MOST
  )

/** Routes by the first part of their path. */
const routes = (project: Project): ReadonlyArray<Point> =>
  grouped(routesOf(project), ({ value }) => `/${value.path.split("/").find((part) => part !== "" && !/^v\d+$/u.test(part)) ?? ""}`)
    .map(([, facts]) => ({ text: listed(namesOf(facts), 3), facts }))

const commands = (project: Project): ReadonlyArray<Point> =>
  project.facts("command").filter((command) => !isTestFile(project, pathOf(command))).slice(0, MOST).map((command) => ({
    text: `${code(command.subject, 60)}${command.value.description === null ? "" : `: ${code(command.value.description, 120)}`}`,
    facts: [command]
  }))

/** Of a library what its own code and tests use most. */
const exported = (project: Project): ReadonlyArray<Point> =>
  mostUsed(project).slice(0, MOST).map(({ symbol, uses }) => ({
    text: `${code(symbol.value.signature, 90)}, ${count(uses.length, "use")}${
      symbol.value.doc === null ? "" : `: ${code(symbol.value.doc, 100)}`
    }`,
    facts: [symbol, ...uses]
  }))

const packages = (project: Project): ReadonlyArray<Point> => {
  const all = packagesOf(project)
  const facts = all.map(({ manifest }) => manifest)
  return all.length < 2 ? [] : [{ text: `${all.length} packages: ${listed(namesOf(facts), 4)}`, facts }]
}

const does = (project: Project): ReadonlyArray<Point> => {
  const offered = [...routes(project), ...commands(project)]
  return [...offered.length === 0 ? exported(project) : offered, ...packages(project)]
}

/** Tests by framework, with one by name. */
const tests = (project: Project): ReadonlyArray<Point> =>
  grouped(project.facts("test"), ({ value }) => value.framework).map(([framework, facts]) => ({
    text: `${framework}: ${count(facts.length, "test")}, such as ${listed(namesOf(facts), 2)}`,
    facts
  }))

const workflows = (project: Project): ReadonlyArray<Point> =>
  grouped(project.facts("ci-step"), ({ subject }) => subject).slice(0, 2).map(([name, facts]) => {
    const run = facts.flatMap(({ value }) => value.run ?? [])
    return {
      text: `${code(name)} runs ${listed(run.map((one) => clip(one, 50)), 3)}`,
      facts: facts.filter(({ value }) => value.run !== null)
    }
  }).filter(({ facts }) => facts.length > 0)

const licenses = (project: Project): ReadonlyArray<Point> =>
  grouped(project.facts("license").filter(({ value }) => value.source !== "header"), ({ subject }) => subject).slice(0, 2)
    .map(([license, facts]) => ({ text: code(license), facts }))

const changes = (project: Project): ReadonlyArray<Point> =>
  changesOf(project).slice(0, 3).map(({ heading, items }) => {
    const [first] = items
    return {
      text: `${code(heading.subject, 60)}${first === undefined ? "" : `: ${code(first.value.text, 120)}`}`,
      facts: [heading, ...first === undefined ? [] : [first]]
    }
  })

const UNFINISHED =
  /\b(?:not yet|experimental|beta|alpha|work in progress|planned|roadmap|simulated|unsupported|not supported|limitations?)\b/iu

const readmes = (project: Project): ReadonlyArray<Fact<"paragraph">> =>
  project.paths.filter((path) => /^readme/iu.test(path)).flatMap((path) => project.factsOf(path, "paragraph"))

const missing = (project: Project): ReadonlyArray<Point> => [
  ...readmes(project).filter(({ value }) => UNFINISHED.test(value.text)).slice(0, 3).map((fact) => ({
    text: code(fact.value.text.split(/(?<=[.!?])\s/u).find((sentence) => UNFINISHED.test(sentence)) ?? fact.value.text, 160),
    facts: [fact]
  })),
  ...project.facts("todo").slice(0, 3).map((fact) => ({ text: code(fact.value.text, 120), facts: [fact] }))
]

/** Slides that have a point, in their order. */
export const slidesOf: (project: Project) => ReadonlyArray<Slide> = memo((project) =>
  [
    { title: "It is", points: statements(project) },
    { title: "For", points: audience(project) },
    { title: "Does", points: does(project) },
    { title: "Held by", points: [...tests(project), ...workflows(project), ...licenses(project)] },
    { title: "Changed", points: changes(project) },
    { title: "Missing", points: missing(project) }
  ].filter(({ points }) => points.length > 0)
)

/** What no file of a project says. */
export const questionsOf = (project: Project): ReadonlyArray<string> => {
  const name = project.description.project_name
  const hasAudience = slidesOf(project).some(({ title }) => title === "For")
  return [...hasAudience ? [] : [`whom is ${name} for?`], `price, market, rivals, team of ${name}?`]
}

export const NOTHING = "No description, route, command, test or change."
