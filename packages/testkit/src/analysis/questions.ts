/** Ten questions a package, whose answers come of searching its text: none of the analysis's own code is asked. */
import { parseJson } from "@svc/kernel/values/json"
import type { PlantedQuestion } from "./key.ts"
import type { Files } from "./projects.ts"

const CODE = /\.(?:[cm]?[jt]sx?|py|sol)$/u
const DEFINITION = /^\s*(?:export )?(?:default )?(?:async )?(?:function|def) ([A-Za-z_]\w{5,})\s*\(/u
const PER_KIND = 4
const QUESTIONS = 10
/** Definitions that are looked at. */
const MOST_NAMES = 60

interface Line {
  readonly path: string
  readonly text: string
}

/** Whether the text of the line stands in its file once. */
const isOnly = (files: Files, { path, text }: Line): boolean => (files[path] ?? "").split(text.trim()).length === 2

/** Scripts of the manifest: the name of each stands in one line. */
const ofScripts = (files: Files): ReadonlyArray<PlantedQuestion> => {
  const manifest = files["package.json"] ?? "{}"
  const { scripts = {} } = parseJson(manifest) as { readonly scripts?: Readonly<Record<string, string>> }
  return Object.keys(scripts).filter((name) => manifest.split(`"${name}":`).length === 2)
    .slice(0, 3).map((name) => [`script ${name}`, "package.json", `"${name}":`])
}

export const questionsOf = (files: Files): ReadonlyArray<PlantedQuestion> => {
  const lines = Object.entries(files).filter(([path]) => CODE.test(path) && !/\.d\.[cm]?ts$/u.test(path))
    .flatMap(([path, text]) => text.split("\n").map((line): Line => ({ path, text: line })))
  const defined = Map.groupBy(
    lines.flatMap((line) => {
      const name = DEFINITION.exec(line.text)?.[1]
      return name === undefined ? [] : [{ name, line }]
    }),
    ({ name }) => name
  )
  // Names that are defined once, and called from one line.
  const once = Array.from(defined.values()).flatMap((group) => group.length === 1 ? group : [])
    .slice(0, MOST_NAMES).filter(({ line }) => isOnly(files, line))
  const definitions = once.slice(0, PER_KIND).map(({ line, name }): PlantedQuestion => [`${name} defined`, line.path, line.text.trim()])
  const calls = once.flatMap(({ line, name }): ReadonlyArray<PlantedQuestion> => {
    const word = new RegExp(String.raw`(?<![\w.$])${name}\s*\(`, "u")
    const callers = lines.filter((other) => other !== line && word.test(other.text) && !other.text.trimStart().startsWith("*"))
    const [caller] = callers
    return callers.length === 1 && caller !== undefined && isOnly(files, caller)
      ? [[`calls ${name}`, caller.path, caller.text.trim()]]
      : []
  }).slice(0, PER_KIND)
  return [...ofScripts(files), ...definitions, ...calls].slice(0, QUESTIONS)
}
