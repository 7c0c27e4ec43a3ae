/** Programs and tools that fit a query. */
import { type Program, programs } from "@svc/programs/programs"
import type { Entry } from "../services/directory.ts"
import { rank, wordsOf } from "./search.ts"
import { programTopics } from "./topics.ts"

const toolTexts = ({ also, category, description, name, title }: Entry) => ({
  texts: [[name, 5], [title, 4], ...also.map((other) => [other, 5] as const), [description, 2], [category, 2]] as const
})

export const findTools = <A extends Entry>(query: string, tools: ReadonlyArray<A>) =>
  rank(query, tools, toolTexts).map(({ item, score }) => ({ item, score }))

const programTexts = ({ artifacts, name }: Program) => ({
  texts: [[name, 5], [programTopics[name] ?? "", 4], ...artifacts.map(({ path }) => [path, 3] as const)] as const
})

const isAsked = (path: string, asked: ReadonlyArray<string>): boolean => wordsOf(path).some((word) => asked.includes(word))

/** With the artifacts that fit first. */
export const findPrograms = (query: string, only?: string) => {
  const asked = wordsOf(query)
  const among = only === undefined ? programs : programs.filter(({ name }) => name === only)
  return rank(query, among, programTexts).map(({ item: { artifacts, name, tier }, score }) => ({
    name,
    score,
    tier,
    about: programTopics[name] ?? "",
    artifacts: [...artifacts.filter(({ path }) => isAsked(path, asked)), ...artifacts.filter(({ path }) => !isAsked(path, asked))]
  }))
}
