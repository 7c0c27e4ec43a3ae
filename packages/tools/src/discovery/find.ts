/** Programs and tools that fit a query. */
import { aboutPrograms, type DescribedProgram, describedPrograms } from "@svc/programs/about"
import type { Entry } from "@svc/tool-kit/services/directory"
import { rank, wordsOf } from "./search.ts"
import { toolTopics } from "./topics.ts"

/** A tool that runs one program is called as the program is, and is found by what that makes. */
const topicOf = (name: string): string => toolTopics[name] ?? aboutPrograms[name]?.about ?? ""

const toolTexts = ({ also, category, description, name, title }: Entry) => ({
  texts: [[name, 5], [title, 4], ...also.map((other) => [other, 5] as const), [topicOf(name), 3], [description, 2], [
    category,
    2
  ]] as const
})

export const findTools = <A extends Entry>(query: string, tools: ReadonlyArray<A>) =>
  rank(query, tools, toolTexts).map(({ item, score }) => ({ item, score }))

type DescribedArtifact = DescribedProgram["artifacts"][number]

const programTexts = ({ about, artifacts, evidence, name }: DescribedProgram) => ({
  texts: [
    [name, 5],
    [about, 4],
    ...artifacts.flatMap((artifact) => [[artifact.path, 3], [artifact.about, 2]] as const),
    [evidence.join(" "), 1]
  ] as const
})

/** How much of a query names the artifact itself: 2 its path, 1 the file's name, 0 neither. */
const named = (query: string) => {
  const words = query.toLowerCase().split(/\s+/u)
  return ({ path }: DescribedArtifact): number => {
    const lowered = path.toLowerCase()
    return words.includes(lowered) ? 2 : words.includes(lowered.split("/").at(-1) ?? lowered) ? 1 : 0
  }
}

/** The best first: artifacts that are named, then those with most words of the query. */
const artifactsFor = (query: string, { artifacts }: DescribedProgram): ReadonlyArray<DescribedArtifact> => {
  const isNamed = named(query)
  const asked = wordsOf(query)
  const fits = ({ about, path }: DescribedArtifact): number => {
    const words = new Set([...wordsOf(path), ...wordsOf(about)])
    return asked.filter((word) => words.has(word)).length
  }
  return artifacts.toSorted((one, other) => isNamed(other) - isNamed(one) || fits(other) - fits(one))
}

/** Programs with an artifact that is named come first, whatever else fits. */
export const findPrograms = (query: string, only?: string) => {
  const among = only === undefined ? describedPrograms : describedPrograms.filter(({ name }) => name === only)
  const scores = new Map(rank(query, among, programTexts).map(({ item, score }) => [item.name, score]))
  const isNamed = named(query)
  return among
    .map((program) => ({
      ...program,
      names: Math.max(...program.artifacts.map(isNamed)),
      score: scores.get(program.name) ?? 0,
      artifacts: artifactsFor(query, program)
    }))
    .filter(({ names, score }) => names > 0 || score > 0)
    .toSorted((one, other) => other.names - one.names || other.score - one.score)
    .map(({ names, score, ...program }) => ({ ...program, score: names > 0 ? 1 : score }))
}
