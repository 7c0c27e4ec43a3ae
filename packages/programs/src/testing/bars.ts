/** What every program must keep, whatever it makes. */
import { assert } from "@effect/vitest"
import type { FileFacts } from "../facts/model.ts"
import { makeProject, type Project } from "../facts/project.ts"
import type { ProgramMaker } from "../program.ts"
import { citedShare, sharedSequences, type Texts, unitsOf, unknownNames } from "./measures.ts"
import { factsIn } from "./repository.ts"

const project_name = "example"

/** What a format says of itself. */
const DIALECTS = ["https://json-schema.org/draft/2020-12/schema"]

/** Without evidence an artifact exists, is short, and says what was searched. */
export const saysWhatWasSearched = ({ artifacts }: ProgramMaker): void => {
  const nothing = makeProject({ project_name }, [])
  for (const { make, path } of artifacts) {
    const { citations, evidence, text } = make(nothing)
    assert.deepStrictEqual([path, evidence, citations], [path, "none", []])
    assert.isAtMost(text.trimEnd().split("\n").length, 15, path)
    assert.match(text, /searched/iu, path)
  }
}

/** In whatever order files come, the bytes are the same. */
export const givesTheSameBytes = ({ artifacts }: ProgramMaker, facts: ReadonlyArray<FileFacts>): void => {
  const textsOf = (project: Project) => artifacts.map(({ make }) => make(project))
  const forward = textsOf(makeProject({ project_name }, facts))
  assert.deepStrictEqual(textsOf(makeProject({ project_name }, facts.toReversed())), forward)
}

/** Formats whose claims are sentences or items. Code, styles and pages are judged by their own tools. */
const isText = ({ path }: { readonly path: string }): boolean => /\.(?:md|json|ya?ml)$|^\.cursorrules$/u.test(path)

/** Nine of ten claims have a place that holds a word of them, and no name stands in no fact. `allowed`: names of formats and commands. */
export const citesWhatItSays = async (
  { artifacts }: ProgramMaker,
  texts: Texts,
  allowed: ReadonlyArray<string> = []
): Promise<void> => {
  const files = await factsIn(texts)
  const project = makeProject({ project_name }, files)
  const facts = files.flatMap((file) => file.facts)
  const made = artifacts.filter(isText).map(({ make, path }) => ({ path, artifact: make(project) }))
  const units = made.flatMap(({ artifact, path }) => unitsOf(path, artifact, texts))
  const wrong = units.filter(({ resolves, worded }) => !resolves || !worded).map(({ text }) => text)
  assert.isAtLeast(citedShare(units), 0.9, wrong.join("\n"))
  for (const { artifact, path } of made) {
    assert.deepStrictEqual([path, unknownNames(artifact, facts, [project_name, ...DIALECTS, ...allowed])], [path, []])
  }
}

const mean = (numbers: ReadonlyArray<number>): number => numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length)

/** Artifacts of two repositories have few sequences of words in common. Those without evidence are left out. */
export const differs = async ({ artifacts }: ProgramMaker, one: Texts, other: Texts): Promise<void> => {
  const [first, second] = [
    makeProject({ project_name: "one" }, await factsIn(one)),
    makeProject({ project_name: "two" }, await factsIn(other))
  ]
  const shared = artifacts.map(({ make, path }) => ({ path, made: [make(first), make(second)] as const }))
    .filter(({ made }) => made.every(({ evidence }) => evidence === "cited"))
    .map(({ made: [a, b], path }) => ({ isProse: path.endsWith(".md"), part: sharedSequences(a.text, b.text) }))
  const partOf = (isProse: boolean) => mean(shared.filter((each) => each.isProse === isProse).map(({ part }) => part))
  assert.isAtMost(partOf(true), 0.2)
  assert.isAtMost(partOf(false), 0.45)
}
