/** Calls of language models. */
import type { AnyFact, Fact } from "../model.ts"
import { clip } from "../text.ts"
import type { Call, Range, Source } from "./language.ts"
import { stringMember } from "./literals.ts"

/** What constants are called that hold prompts. */
export const PROMPT_NAME = /prompt|instructions?$|^system(?:_?message|_?text)?$/iu

interface Provider {
  readonly name: string
  /** A module whose import says that the provider is used. */
  readonly module: RegExp
  readonly callee: RegExp
}

/** In this order: the first whose module the file imports and whose callee is called. */
const PROVIDERS: ReadonlyArray<Provider> = [
  {
    name: "openai",
    module: /^(?:openai|github\.com\/(?:sashabaranov|openai)\/|async_openai)/u,
    callee: /\.(?:completions|responses|embeddings|images|audio\.\w+|moderations)\.(?:create|parse|stream|generate)$|CreateChatCompletion$/u
  },
  { name: "anthropic", module: /anthropic/u, callee: /\.messages\.(?:create|stream|parse|countTokens|count_tokens)$|\.Messages\.New$/u },
  {
    name: "ai-sdk",
    module: /^ai(?:\/|$)/u,
    callee: /^(?:generateText|streamText|generateObject|streamObject|embed|embedMany|generateImage)$/u
  },
  {
    name: "google",
    module: /generative-?ai|genai/u,
    callee: /\.(?:generateContent|generate_content|generateContentStream)$/u
  },
  { name: "mistral", module: /mistral/u, callee: /\.chat\.(?:complete|stream)$/u },
  { name: "cohere", module: /cohere/u, callee: /\.(?:chat|embed|rerank)$/u },
  { name: "ollama", module: /ollama/u, callee: /(?:^|\.)(?:chat|generate|embeddings)$/u },
  {
    name: "langchain",
    module: /langchain/u,
    callee: /^(?:Chat(?:OpenAI|Anthropic|Google\w*|Mistral\w*|Ollama)|init_chat_model|initChatModel)$/u
  },
  { name: "litellm", module: /litellm/u, callee: /(?:^|\.)a?(?:completion|embedding)$/u },
  {
    name: "effect-ai",
    module: /^(?:effect\/(?:unstable\/)?ai|@effect\/ai)/u,
    callee: /LanguageModel\.(?:generateText|streamText|generateObject)$/u
  }
]

export interface ModelCall {
  readonly provider: string
  readonly call: Call
}

export const modelCallsOf = (source: Source): ReadonlyArray<ModelCall> => {
  const used = PROVIDERS.filter(({ module }) => source.imports.some(({ target }) => module.test(target)))
  if (used.length === 0) return []
  return source.calls.flatMap((call) => {
    const provider = used.find(({ callee }) => callee.test(call.callee))
    return provider === undefined ? [] : [{ call, provider: provider.name }]
  })
}

/** Members that say what a call may cost: how much it answers, whether it streams, is cached, tried again or ended. */
const OPTIONS = [
  /max_(?:completion_|output_)?tokens|max(?:Output|Completion)?Tokens|max_?[rR]etries|max_?[sS]teps/u,
  /stream|cache_control|cacheControl|prompt_cache_key|timeout|temperature|seed|reasoning_effort/u
]
const OPTION = new RegExp(
  `(?<![\\w$])["']?(${OPTIONS.map(({ source }) => source).join("|")})["']?\\s{0,9}[:=]\\s{0,9}([\\w.$"'-]{1,60})`,
  "gu"
)

const optionsOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from(text.matchAll(OPTION), ([, name = "", value = ""]) => [name, clip(value)]))

const CONSTANT = /(?<![\w$."'`])[A-Za-z_$][\w$]*/gu
const MOST_CONSTANTS = 30

/** Names that are called as prompts are. */
const constantsOf = (text: string): ReadonlyArray<string> =>
  [...new Set(Array.from(text.matchAll(CONSTANT), ([name]) => name))].filter((name) => PROMPT_NAME.test(name)).slice(0, MOST_CONSTANTS)

const LOOP = /^(?:\}\s*)?(?:async\s+)?(?:for|while|do|loop)\b|\.(?:map|forEach|flatMap)\((?:$|\(?[^()]{0,80}\)?\s{0,9}=>)|^retry\b/u
const MOST_LINES = 200

/** The line of the innermost loop around an offset, told by how far lines are indented, which holds in every language. */
const loopAround = (source: Source, offset: number): Range | undefined => {
  const { text } = source
  let end = text.lastIndexOf("\n", offset)
  let indent = /^\s*/u.exec(text.slice(end + 1, offset + 1))?.[0].length ?? 0
  for (let lines = 0; end > 0 && indent > 0 && lines < MOST_LINES; lines++) {
    const start = text.lastIndexOf("\n", end - 1) + 1
    const line = text.slice(start, Math.min(end, start + 400))
    const own = line.length - line.trimStart().length
    end = start - 1
    if (line.trim() === "" || own >= indent) continue
    if (LOOP.test(line.trim())) return { start: start + own, end: start + line.trimEnd().length }
    indent = own
  }
  return undefined
}

export const modelCalls = (source: Source): ReadonlyArray<AnyFact> =>
  modelCallsOf(source).map(({ call, provider }): Fact<"model-call"> => {
    const model = call.arguments.map((one) => stringMember(one, "model")).find((one) => one !== null) ?? null
    const loop = loopAround(source, call.start)
    return {
      kind: "model-call",
      subject: provider,
      value: {
        model,
        call: clip(call.callee),
        within: call.within,
        constants: constantsOf(call.arguments.join(" ")),
        options: optionsOf(call.arguments.join(" ")),
        loop: loop === undefined ? null : clip(source.text.slice(loop.start, loop.end), 120)
      },
      evidence: [source.span(call), ...loop === undefined ? [] : [source.span(loop)]]
    }
  })
