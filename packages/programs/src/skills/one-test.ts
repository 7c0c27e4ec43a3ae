/** How one file of tests, or one test, is run. */
import { posix } from "node:path"
import { MANUALS } from "../claims/manuals.ts"
import type { Source } from "../claims/model.ts"
import type { Fact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import type { ProjectCommand } from "./model.ts"
import { foldersUp, needsOf } from "./needs.ts"
import { folderOf, managerOf, type Segment, segmentsOf } from "./scripts.ts"

type Test = Fact<"test">
type Found = Omit<ProjectCommand, "purpose" | "needs">

const RUNNERS = ["vitest", "jest", "mocha", "ava", "tap", "borp"] as const

/** Options whose value is the next word. */
const VALUED = new Set(["-r", "--require", "--import", "--loader", "--experimental-loader", "-c", "--config", "--project", "--env-file"])

/** A word that a shell takes as it stands. */
const isPlain = (word: string): boolean => /^[\w./@+-]+$/u.test(word)

const wordsOf = (text: string): ReadonlyArray<string> => text.split(/\s+/u)

const runnerAt = (words: ReadonlyArray<string>, runner: string): number =>
  runner === "node"
    ? words.includes("--test") ? words.indexOf("node") : -1
    : words.findIndex((word) => word === runner || word.startsWith(`node_modules/${runner}/`))

/** Options that say how tests are loaded. Others, such as limits of coverage, are of all tests together. */
const loadingOptions = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.filter((word, at) => VALUED.has(word) || VALUED.has(words[at - 1] ?? "") || VALUED.has(word.split("=")[0] ?? ""))

const npmCommand = (project: Project, { alone, script, text }: Segment, runner: string, file: string): string | undefined => {
  const words = wordsOf(text)
  const at = runnerAt(words, runner)
  if (at < 0) return undefined
  const options = loadingOptions(words.slice(at + 1))
  const others = words.slice(at + 1).filter((word) => !options.includes(word) && word !== "run" && word !== "--run" && word !== "--test")
  const relative = posix.relative(folderOf(script), file)
  const once = runner === "vitest" && !words.some((word) => word === "run" || word === "--run") ? "--run " : ""
  if (alone && others.length === 0 && !/\b(?:c8|nyc)\b/u.test(text) && isPlain(script.subject.replaceAll(":", ""))) {
    const manager = managerOf(project, folderOf(script))
    return `${manager} run ${script.subject} ${manager === "npm" ? "-- " : ""}${once}${relative}`
  }
  if (!options.every((option) => isPlain(option.replace("=", "")))) return undefined
  const call = runner === "node" ? "node --test" : runner === "vitest" ? "npx vitest run" : `npx ${runner}`
  return [call, ...options, relative].join(" ")
}

/** The script that runs tests with the runner, closest to the file, and how it is told of one file. */
const ofScripts = (project: Project, runner: string, test: Test): Found | undefined => {
  const file = test.evidence[0].path
  for (const folder of foldersUp(posix.dirname(file))) {
    const scripts = project.factsOf(posix.join(folder, "package.json"), "script")
      .toSorted((one, other) => Number(other.subject === "test") - Number(one.subject === "test"))
    for (const script of scripts) {
      for (const segment of segmentsOf(project, script)) {
        const command = npmCommand(project, segment, runner, file)
        if (command !== undefined) return { command, folder, evidence: [segment.script, test] }
      }
    }
  }
  return undefined
}

/** The folder above the file that has the manifest. */
const manifestFolder = (project: Project, file: string, names: ReadonlyArray<string>): string | undefined =>
  foldersUp(posix.dirname(file)).find((folder) => names.some((name) => project.paths.includes(posix.join(folder, name))))

const ofLanguages: ReadonlyArray<
  readonly [
    framework: RegExp,
    manifests: ReadonlyArray<string>,
    manual: Source,
    command: (test: Test, file: string) => string | undefined
  ]
> = [
  [
    /pytest/iu,
    ["pyproject.toml", "setup.cfg", "setup.py", "tox.ini", "requirements.txt"],
    MANUALS.pytest,
    (_, file) => `python -m pytest ${file}`
  ],
  [
    /unittest/iu,
    ["pyproject.toml", "setup.cfg", "setup.py", "requirements.txt"],
    MANUALS.unittest,
    (_, file) => `python -m unittest ${file}`
  ],
  [
    /^go|^testing$/iu,
    ["go.mod"],
    MANUALS.go,
    ({ subject }, file) => /^\w+$/u.test(subject) ? `go test ./${posix.dirname(file)} -run '^${subject}$'` : undefined
  ],
  [
    /rust|cargo|#\[[^[\]]*test/iu,
    ["Cargo.toml"],
    MANUALS.cargo,
    ({ subject }) => /^\w+$/u.test(subject) ? `cargo test ${subject}` : undefined
  ],
  [/junit/iu, ["pom.xml"], MANUALS.maven, (_, file) => `mvn test -Dtest=${posix.parse(file).name}`],
  [/junit/iu, ["build.gradle", "build.gradle.kts"], MANUALS.gradle, (_, file) => `gradle test --tests ${posix.parse(file).name}`],
  [/rspec/iu, ["Gemfile"], MANUALS.rspec, (_, file) => `bundle exec rspec ${file}`],
  [/phpunit/iu, ["composer.json"], MANUALS.phpunit, (_, file) => `vendor/bin/phpunit ${file}`]
]

const ofLanguage = (project: Project, framework: string, test: Test): Found | undefined => {
  const file = test.evidence[0].path
  for (const [pattern, manifests, manual, commandOf] of ofLanguages) {
    const folder = pattern.test(framework) ? manifestFolder(project, file, manifests) : undefined
    const command = folder === undefined ? undefined : commandOf(test, posix.relative(folder, file))
    if (folder !== undefined && command !== undefined) return { command, folder, evidence: [test], source: manual }
  }
  return undefined
}

/** Runners that may run tests of the framework: of global functions any. */
const runnersOf = (framework: string): ReadonlyArray<string> => {
  if (/node/iu.test(framework)) return ["node", "borp"]
  if (/global/iu.test(framework)) return RUNNERS
  return RUNNERS.filter((runner) => framework.toLowerCase().includes(runner))
}

/** Node runs a file of its own tests by itself, whatever scripts there are. */
const byNode = (project: Project, framework: string, test: Test): Found | undefined => {
  const file = test.evidence[0].path
  const folder = /node/iu.test(framework) ? manifestFolder(project, file, ["package.json"]) : undefined
  return folder === undefined ? undefined : {
    command: `node --test ${posix.relative(folder, file)}`,
    folder,
    evidence: [test],
    source: MANUALS.node
  }
}

const endingOf = (path: string): string => posix.basename(path).replace(/^[^.]*/u, "")

/** The first test of the shortest file that is named as most are: it is the quickest to try. */
const shortest = (project: Project, tests: ReadonlyArray<Test>): Test | undefined => {
  const linesOf = new Map(project.facts("file").map(({ evidence: [{ path }], value: { lines } }) => [path, lines]))
  const lines = ({ evidence: [{ path }] }: Test): number => linesOf.get(path) ?? Number.MAX_SAFE_INTEGER
  const groups = Array.from(
    Map.groupBy(tests.filter(({ evidence: [{ path }] }) => isPlain(path)), ({ evidence: [{ path }] }) => endingOf(path))
  )
  const [usual] = groups.toSorted(([one, some], [other, others]) => others.length - some.length || byText(one, other))
  return usual?.[1].toSorted((one, other) => lines(one) - lines(other) || byText(one.evidence[0].path, other.evidence[0].path))[0]
}

/** The command for whatever test, without the one that it names. */
export const withoutTest = (command: string): string => command.replace(/(?: \.\/\S+ -run| --tests| --run| --)* \S+$/u, "")

/** A framework of fewer tests than one in so many is not how tests are run here. */
const SELDOM = 10

/** One command for each framework. */
export const oneTests = (project: Project): ReadonlyArray<ProjectCommand> =>
  Array.from(Map.groupBy(project.facts("test"), ({ value: { framework } }) => framework)).flatMap(([framework, tests]) => {
    const test = shortest(project, tests)
    if (test === undefined || tests.length * SELDOM < project.facts("test").length) return []
    const found = runnersOf(framework).map((runner) => ofScripts(project, runner, test)).find((one) => one !== undefined) ??
      byNode(project, framework, test) ?? ofLanguage(project, framework, test)
    return found === undefined
      ? []
      : [{ ...found, purpose: "one test" as const, needs: needsOf(project, found.folder, found.command) }]
  }).toSorted((one, other) => byText(one.command, other.command))
