/** cost-estimate.json: tokens of each call and prompt. What a token costs is asked, not said. */
import { cited, jsonLines, type Value } from "../claims/json.ts"
import type { Artifact } from "../claims/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { callingsOf, holesOf, isGuide, MAX_TOKENS, optionOf, promptsOf, sum } from "./calls.ts"

const MOST = 200

const PRICES: Readonly<Record<string, string>> = {
  openai: "[OpenAI](https://openai.com/api/pricing/)",
  anthropic: "[Anthropic](https://claude.com/pricing)",
  google: "[Google](https://ai.google.dev/gemini-api/docs/pricing)",
  mistral: "[Mistral](https://mistral.ai/pricing)",
  cohere: "[Cohere](https://cohere.com/pricing)"
}

const calls = (project: Project): ReadonlyArray<Value> =>
  callingsOf(project).slice(0, MOST).map(({ call, prompts }) => {
    const most = optionOf(call, MAX_TOKENS)
    return cited(
      {
        call: call.value.call,
        in: call.value.within ?? undefined,
        provider: call.subject,
        model: call.value.model ?? undefined,
        prompts: prompts.map(({ subject }) => subject),
        "fixed tokens": sum(prompts),
        "filled in": holesOf(prompts),
        "answer at most": most === undefined ? undefined : /^\d{1,9}$/u.test(most) ? Number(most) : most,
        loop: call.value.loop ?? undefined
      },
      call,
      ...prompts
    )
  })

const prompts = (project: Project): ReadonlyArray<Value> =>
  promptsOf(project).filter((prompt) => !isGuide(prompt)).slice(0, MOST).map((prompt) =>
    cited({ prompt: prompt.subject, tokens: prompt.value.tokens, "filled in": prompt.value.holes }, prompt)
  )

/** One question a model; where a provider has a page of prices, it is the place to look. */
const questions = (project: Project): ReadonlyArray<Value> => {
  const models = callingsOf(project).map(({ call }) => ({
    provider: call.subject,
    model: call.value.model ?? "the model that is chosen elsewhere"
  }))
  const unique = new Map(models.map((one) => [`${one.provider} ${one.model}`, one]))
  return [...unique].toSorted(([one], [other]) => byText(one, other)).map(([, { model, provider }]) => {
    const place = PRICES[provider]
    return `${model}: what does a token cost, read and written?${place === undefined ? "" : ` Source: ${place}`}`
  })
}

export const costEstimate = (project: Project): Artifact =>
  jsonLines({
    searched: `calls of models and prompts, in ${project.searched()} files`,
    calls: calls(project),
    prompts: prompts(project),
    questions: questions(project)
  })
