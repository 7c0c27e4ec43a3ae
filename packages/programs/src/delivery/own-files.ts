/** Container files that the repository has itself: they win over whatever could be made. */
import { posix } from "node:path"
import { evidenceOf } from "../claims/model.ts"
import type { Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { memo } from "../map/memo.ts"
import { pathOf } from "../map/uses.ts"
import type { OwnDockerfile, Said } from "./model.ts"

type Container = Fact<"container">

const isCompose = (path: string): boolean => /\.ya?ml$/u.test(path)

const byFile: (project: Project) => ReadonlyMap<string, ReadonlyArray<Container>> = memo((project) =>
  Map.groupBy(project.facts("container"), pathOf)
)

const OF_HELPERS = /(?:^|[/._-])(?:dev|test|tests|ci|debug|e2e|bench|docs?|examples?|devcontainer)(?:$|[/._-])/iu
const DOCKER_FOLDERS = /(?:^|\/)(?:\.?docker|deploy|deployment|build|ops|infra)(?:\/|$)/u

/** Folders that only hold such files are no context of theirs. */
const contextOf = (path: string): string => {
  const folder = posix.dirname(path)
  return DOCKER_FOLDERS.test(folder) ? folder.replace(DOCKER_FOLDERS, "/").replace(/^\/|\/$/gu, "") || "." : folder
}

/** The Dockerfile of a folder: the one that stands in it, else one below that is for neither development nor tests. */
export const ownDockerfileOf = (project: Project, folder: string): OwnDockerfile | undefined => {
  const files = [...byFile(project)].filter(([path, all]) =>
    !isCompose(path) && all.some(({ value: { instruction } }) => instruction === "FROM") && !OF_HELPERS.test(path)
  )
  const found = files.find(([path]) => path === posix.join(folder, "Dockerfile")) ?? files.find(([path]) => contextOf(path) === folder)
  return found === undefined ? undefined : { path: found[0], context: contextOf(found[0]), instructions: found[1] }
}

/** Instructions of the last stage, which is what runs. */
export const lastStage = ({ instructions }: OwnDockerfile): ReadonlyArray<Container> =>
  instructions.slice(instructions.findLastIndex(({ value: { instruction } }) => instruction === "FROM"))

/** What the last stage starts: the words of its list, or a line for a shell. */
export const startOfDockerfile = (own: OwnDockerfile): Said<ReadonlyArray<string>> | undefined => {
  const starts = lastStage(own).filter(({ value: { instruction } }) => instruction === "ENTRYPOINT" || instruction === "CMD")
  const evidence = evidenceOf(starts)
  if (evidence === undefined) return undefined
  const words = starts.flatMap(({ value: { value } }) => {
    const listed = Array.from(value.matchAll(/"((?:[^"\\]|\\.){0,200})"/gu), ([, word = ""]) => word)
    return value.startsWith("[") && !value.includes("\\") ? listed : ["sh", "-c", value]
  })
  return { value: words, evidence }
}

/** Whether all of it is known word for word: nothing was cut, and no part of it goes by lines. */
export const isQuotable = ({ instructions }: OwnDockerfile): boolean =>
  instructions.every(({ value: { value } }) => !value.endsWith("…") && !/<<-?["']?\w|\s#/u.test(value))

/** Files of compose that are for running the project, with the settings of their services. */
export const ownComposeFiles = (project: Project): ReadonlyMap<string, ReadonlyArray<Container>> =>
  new Map([...byFile(project)].filter(([path]) => isCompose(path) && posix.dirname(path) === "."))
