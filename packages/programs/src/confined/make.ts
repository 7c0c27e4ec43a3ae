/** The engine that a confined child runs over facts: artifacts out. */
import { inflateRawSync } from "node:zlib"
import { fact, type FileFacts } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import { makeProject, type Project, type SkippedFile } from "../facts/project.ts"
import { factsFromText } from "../facts/stored.ts"
import { isFree } from "../programs.ts"
import { engineerArtifacts } from "../readiness/engineer/artifacts.ts"
import { disputeEvidence } from "../readiness/engineer/dispute-evidence.ts"
import { findingOf } from "../readiness/finding.ts"
import { gapsOf, programsFor, readinessOf } from "../readiness/score.ts"
import { runningPrograms } from "../running.ts"
import { livingArchitecture } from "../search/living-architecture.ts"
import { advisedCommands } from "../skills/commands.ts"
import type { MadeArtifact, MakeAnswer, MakeOptions, ReadinessAnswer, ReadinessOptions } from "./model.ts"
import { type Piece, unpack } from "./pack.ts"

/** Bytes of one file's facts, which `read` bounds. */
const MOST = 32 * 1024 * 1024
/** Characters of all facts: as many as a child puts together in its time and memory. */
const MOST_OF_PROJECT = 32 * 1024 * 1024
/** What a fact takes besides its text, in characters: the object with its places. */
const OF_FACT = 100

/** Facts of the files, in the order of paths. Where all are too many, of some files only that they are there. */
const factsOf = (pieces: ReadonlyArray<Piece>) => {
  const files: Array<FileFacts> = []
  const skipped: Array<SkippedFile> = []
  let left = MOST_OF_PROJECT
  for (const { bytes, name: path } of pieces.toSorted((one, other) => byText(one.name, other.name))) {
    const text = inflateRawSync(bytes, { maxOutputLength: MOST }).toString()
    const { facts } = factsFromText(path, text)
    const weight = text.length + facts.length * OF_FACT
    const fits = weight <= left
    files.push({ path, facts: fits ? facts : facts.slice(0, 1) })
    if (fits) left -= weight
    else skipped.push({ path, reason: "left out: the project has more facts than are put together" })
  }
  return { files, skipped }
}

const NAME = "agentic-purchasing"

/** What only engineers get: with a score what lets agents buy, else the living architecture. */
const forEngineers = (project: Project, { readiness }: MakeOptions): ReadonlyArray<MadeArtifact> =>
  readiness === undefined
    ? [{ path: "living-architecture.md", program: "search", free: false, ...livingArchitecture(project) }]
    : engineerArtifacts(project, readiness).map(({ artifact, path }) => ({ path, program: NAME, free: false, ...artifact }))

const readinessIn = (project: Project, { focus_areas }: ReadinessOptions): ReadinessAnswer => {
  const readiness = readinessOf(project)
  const gaps = gapsOf(readiness, focus_areas)
  return {
    score: readiness.score,
    risk_level: readiness.risk,
    gaps: gaps.map((gap) => ({ check: gap.id, weight: gap.weight, finding: findingOf(gap, readiness.searched), next: gap.next })),
    frameworks: readiness.frameworks,
    programs: programsFor(gaps).filter((name) => runningPrograms.some((program) => program.name === name)),
    dispute_evidence: { ...disputeEvidence(project).evidence }
  }
}

export const engine = (bytes: Uint8Array, options: MakeOptions): MakeAnswer => {
  const { description, make } = options
  const ran = options.ran.map(({ command, exit_code, output, reason, ...span }) =>
    fact("ran", command, { exit_code, output, reason }, span)
  )
  const { files, skipped } = factsOf(unpack(bytes))
  const project = makeProject(description, files, ran, [...options.skipped ?? [], ...skipped])
  if (make === "commands") return { artifacts: [], programs: [], commands: advisedCommands(project), skipped }
  const readiness = options.readiness === undefined ? undefined : readinessIn(project, options.readiness)
  const programs = options.programs ?? readiness?.programs
  const asked = runningPrograms.filter(({ name }) => programs === undefined || programs.includes(name))
  const made = asked.map(({ artifacts, name }) => ({
    name,
    artifacts: artifacts.flatMap(({ make: makeArtifact, path }): ReadonlyArray<MadeArtifact> => {
      const free = isFree(path)
      return make === "free" && !free ? [] : [{ path, program: name, free, ...makeArtifact(project) }]
    })
  })).filter(({ artifacts }) => artifacts.length > 0)
  return {
    artifacts: [...made.flatMap(({ artifacts }) => artifacts), ...make === "engineer" ? forEngineers(project, options) : []],
    programs: made.map(({ name }) => name),
    commands: [],
    skipped,
    ...readiness === undefined ? {} : { readiness }
  }
}
