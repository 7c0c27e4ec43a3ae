/** An analysis as the service runs it, in this process: files in, facts and artifacts out. */
import { engine as make } from "@svc/programs/confined/make"
import type { MadeArtifact } from "@svc/programs/confined/model"
import { pack } from "@svc/programs/confined/pack"
import { engine as read } from "@svc/programs/confined/read"
import type { AnyFact } from "@svc/programs/facts/model"
import { makeProject } from "@svc/programs/facts/project"
import { factsFromText } from "@svc/programs/facts/stored"
import { deflateRawSync, inflateRawSync } from "node:zlib"
import type { Files } from "./projects.ts"

/** What `read` gave of each file, deflated. */
export type ReadFiles = ReadonlyMap<string, Uint8Array>

export interface Analyzed {
  readonly artifacts: ReadonlyArray<MadeArtifact>
  readonly facts: ReadonlyArray<AnyFact>
  readonly read: ReadFiles
}

/** In the order of the files. Those of `known` are not read again. */
export const readFiles = async (files: Files, known: ReadFiles = new Map()): Promise<ReadFiles> => {
  const unread = Object.entries(files).filter(([path]) => !known.has(path))
  const answer = await read(pack(unread.map(([name, text]) => ({ name, bytes: deflateRawSync(text) }))))
  return new Map([...known, ...answer.files.map(({ facts, path }) => [path, Buffer.from(facts, "base64")] as const)])
}

export const makeArtifacts = (name: string, read: ReadFiles): ReadonlyArray<MadeArtifact> =>
  make(pack(Array.from(read, ([name, bytes]) => ({ name, bytes }))), {
    description: { project_name: name },
    make: "engineer",
    ran: []
  }).artifacts

/** As programs see them: routes with the paths that they are mounted below. */
const linkedFacts = (name: string, read: ReadFiles): ReadonlyArray<AnyFact> => {
  const files = Array.from(read, ([path, deflated]) => factsFromText(path, inflateRawSync(deflated).toString()))
  const project = makeProject({ project_name: name }, files)
  return project.kinds.flatMap((kind) => project.facts(kind) as ReadonlyArray<AnyFact>)
}

export const analyze = async (name: string, files: Files): Promise<Analyzed> => {
  const read = await readFiles(files)
  return { read, artifacts: makeArtifacts(name, read), facts: linkedFacts(name, read) }
}
