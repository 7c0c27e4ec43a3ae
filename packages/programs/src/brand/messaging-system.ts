/** messaging-system.yaml: the project's own sentences about itself side by side, and what some say and others do not. */
import { cited, type Value } from "../claims/json.ts"
import { type Artifact, question } from "../claims/model.ts"
import { yaml } from "../claims/yaml.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { audienceOf, namesSaid, type Statement, statementsOf } from "../wording/statements.ts"
import { wordsOf } from "../wording/voice.ts"

/** Words that say nothing of a product. */
const COMMON: ReadonlySet<string> = new Set(
  `
  a an and any are as at be but by can for from has have in into is it its of on one or over own so than that the their them
  then there these this to up use used using very was we what when which who will with without you your all also more most not
  no our
`.trim().split(/\s+/u)
)

const contentWords = (text: string): ReadonlySet<string> =>
  new Set(wordsOf(text).map((word) => word.toLowerCase().replace(/[’']s$/u, "")).filter((word) => !COMMON.has(word) && word.length > 2))

type Members = { readonly [name: string]: Value }

/** What each source says, by its name. */
const said = (statements: ReadonlyArray<Statement>, most: number): Members =>
  Object.fromEntries(statements.map(({ fact, source, text }) => [source, cited(clip(text, most), fact)]))

/** Words of one statement that no other has: what is promised in one place only. */
const onlyHere = (statements: ReadonlyArray<Statement>): Members =>
  statements.length < 2 ? {} : Object.fromEntries(statements.flatMap((one) => {
    const others = new Set(statements.filter((other) => other !== one).flatMap(({ text }) => [...contentWords(text)]))
    const only = [...contentWords(one.text)].filter((word) => !others.has(word)).slice(0, 12)
    return only.length === 0 ? [] : [[one.source, cited(only.join(", "), one.fact)] as const]
  }))

const plain = (text: string): string => text.replace(/^@[^/]+\//u, "").toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "")

/** Names that are not the first one, whatever their case and hyphens. */
const otherNames = (names: ReadonlyArray<Statement>): Members => {
  const [first, ...rest] = names
  const isOther = (text: string, name: string) => !plain(text).includes(plain(name)) && !plain(name).includes(plain(text))
  return first === undefined ? {} : Object.fromEntries(
    rest.filter(({ text }) => isOther(text, first.text)).map(({ fact, source, text }) => [source, cited(clip(text, 80), fact, first.fact)])
  )
}

const some = (members: Members): Value | undefined => Object.keys(members).length === 0 ? undefined : members

export const messagingSystem = (project: Project): Artifact => {
  const [statements, names, audience] = [statementsOf(project), namesSaid(project), audienceOf(project)]
  if (statements.length + names.length === 0) {
    return yaml({ says: {}, searched: `${project.searched()} files: manifests, README, titles and descriptions of pages` })
  }
  return yaml({
    called: some(said(names, 80)),
    "called otherwise": some(otherNames(names)),
    says: some(said(statements, 240)),
    "says alone": some(onlyHere(statements)),
    for: audience.length === 0 ? undefined : audience.map((fact): Value => cited(clip(fact.value.text, 200), fact))
  }, audience.length > 0 ? [] : [question(`for whom is ${project.description.project_name}?`).text])
}
