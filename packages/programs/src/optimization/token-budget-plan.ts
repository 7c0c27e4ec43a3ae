/** token-budget-plan.md: what each call sends whatever is asked of it, and what agents read before they work. */
import { absence, type Artifact, type Block, question } from "../claims/model.ts"
import { claimOf, page } from "../claims/sections.ts"
import type { Project } from "../facts/project.ts"
import { code, count, listed, namesOf } from "../map/words.ts"
import { callingsOf, holesOf, isGuide, MAX_TOKENS, optionOf, promptsOf, sum } from "./calls.ts"

const MOST = 30

/** One line a call, those that send most first. */
const budgets = (project: Project): ReadonlyArray<Block> =>
  callingsOf(project).toSorted((one, other) => sum(other.prompts) - sum(one.prompts)).slice(0, MOST).flatMap(({ call, prompts }) => {
    const most = optionOf(call, MAX_TOKENS)
    const sent = prompts.length === 0 ? "no text that is written here" : `${listed(namesOf(prompts), 3)}, ${count(sum(prompts), "token")}`
    const holes = holesOf(prompts) === 0 ? "" : `, ${count(holesOf(prompts), "value")} beside`
    const answer = most === undefined ? "" : `; answered by at most ${most}`
    const loop = call.value.loop == null ? "" : `; each round of ${code(call.value.loop)}`
    return claimOf(`${code(call.value.within ?? call.value.call)} sends ${sent}${holes}${answer}${loop}.`, [call, ...prompts])
  })

const guides = (project: Project): ReadonlyArray<Block> =>
  promptsOf(project).filter(isGuide).flatMap((prompt) =>
    claimOf(`${code(prompt.subject)}: ${count(prompt.value.tokens, "token")}.`, [prompt])
  )

const unsent = (project: Project): ReadonlyArray<Block> => {
  const sent = new Set(callingsOf(project).flatMap(({ prompts }) => prompts))
  return promptsOf(project).filter((prompt) => !isGuide(prompt) && !sent.has(prompt)).slice(0, MOST).flatMap((prompt) =>
    claimOf(`${code(prompt.subject)}: ${count(prompt.value.tokens, "token")}.`, [prompt])
  )
}

export const tokenBudgetPlan = (project: Project): Artifact => {
  const files = project.searched()
  const loops = callingsOf(project).filter(({ call }) => call.value.loop != null)
  return page(`${project.description.project_name}: tokens`, [
    { title: "Sent by calls", blocks: budgets(project), none: absence("No call of a model.", files) },
    { title: "Read by agents", blocks: guides(project) },
    { title: "Sent by no call found", blocks: unsent(project) },
    {
      title: "Open",
      blocks: loops.slice(0, 5).map(({ call }) => question(`How many rounds has ${code(call.value.loop ?? "")} at most?`))
    }
  ])
}
