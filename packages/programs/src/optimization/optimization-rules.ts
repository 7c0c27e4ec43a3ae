/** optimization-rules.md: how each call of a model is made, and which pay again for what was paid before. */
import { absence, type Artifact, type Block } from "../claims/model.ts"
import { claimOf, page, rowOf, table } from "../claims/sections.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { code, listed, namesOf } from "../map/words.ts"
import { CACHE, type Calling, callingsOf, MAX_TOKENS, optionOf, RETRIES } from "./calls.ts"

const MOST = 30

const named = ({ call: { subject, value: { call, within } } }: Calling): string => code(within ?? `${subject} ${call}`)

const options = (project: Project): ReadonlyArray<Block> =>
  table(
    ["in", "call", "model", "answer", "stream", "cache", "retries"],
    callingsOf(project).slice(0, MOST).flatMap((calling) => {
      const { call } = calling
      return rowOf([
        named(calling),
        code(clip(call.value.call, 60)),
        call.value.model === null ? "chosen elsewhere" : code(call.value.model),
        ...[MAX_TOKENS, /^stream$/u, CACHE, RETRIES].map((name) => optionOf(call, name) ?? "unset")
      ], [call])
    })
  )

const loops = (project: Project): ReadonlyArray<Block> =>
  callingsOf(project).flatMap((calling) =>
    calling.call.value.loop == null
      ? []
      : claimOf(`${named(calling)} calls once a round of ${code(calling.call.value.loop)}.`, [calling.call])
  ).slice(0, MOST)

const unbounded = (project: Project): ReadonlyArray<Block> =>
  callingsOf(project).filter(({ call }) => !/embed|moderation|image/iu.test(call.value.call) && optionOf(call, MAX_TOKENS) === undefined)
    .slice(0, MOST).flatMap((calling) => claimOf(`${named(calling)} sets no limit of tokens.`, [calling.call]))

/** A cache keeps what comes before the first value that a run fills in. */
const HOLE = /\$\{|\{\{|\{[A-Za-z_]|%[sd]\b/u

const early = (project: Project): ReadonlyArray<Block> =>
  callingsOf(project).flatMap(({ prompts }) => prompts).flatMap((prompt) => {
    const at = prompt.value.text.search(HOLE)
    return at === -1 ? [] : claimOf(`${code(prompt.subject)} is filled in from character ${at + 1} on.`, [prompt])
  }).slice(0, MOST)

const shared = (project: Project): ReadonlyArray<Block> => {
  const uses = callingsOf(project).flatMap(({ call, prompts }) => prompts.map((prompt) => ({ call, prompt })))
  return Array.from(Map.groupBy(uses, ({ prompt }) => prompt)).filter(([, group]) => group.length > 1).slice(0, MOST)
    .flatMap(([prompt, group]) =>
      claimOf(`${code(prompt.subject)} is sent by ${listed(namesOf(group.map(({ call }) => call)), 4)} at ${group.length} places.`, [
        prompt,
        ...group.map(({ call }) => call)
      ])
    )
}

export const optimizationRules = (project: Project): Artifact => {
  const files = project.searched({ roles: ["source"] })
  return page(`${project.description.project_name}: calls of models`, [
    { title: "Calls", blocks: options(project), none: absence("No call of a model.", files) },
    { title: "Loops", blocks: loops(project), none: absence("No loop around one.", files) },
    { title: "Unbounded answers", blocks: unbounded(project) },
    { title: "Filled in", blocks: early(project) },
    { title: "Shared prompts", blocks: shared(project) }
  ])
}
