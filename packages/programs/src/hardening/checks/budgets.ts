/** What bounds an agent: steps of loops, lengths of answers, time. */
import { type AgentFile, type Call, type Loop, riskAt } from "../agent-file.ts"
import type { Edit, Risk } from "../rules.ts"

const ENDLESS = /^\(?\s*(?:(?:true|True|1|;)\s*;?)?\)?$/u
const BOUND = /max|limit|budget|step|(?<!re)turn|attempt|iteration|retries|remaining|deadline|depth|\+\+|\+= ?1\b/iu
/** A limit of an answer bounds no loop. */
const TOKENS = /\bmax\w*tokens\b/giu
const MOST_STEPS = 25

const indentOf = (text: string, offset: number): string => /^[ \t]*/u.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1))?.[0] ?? ""

/** A name that the file does not use yet. */
const freeName = (text: string, name: string): string => text.includes(name) ? freeName(text, `${name}_`) : name

const counted = ({ isPython, source }: AgentFile, { body, start }: Loop): ReadonlyArray<Edit> | undefined => {
  const { text } = source
  const lineStart = text.lastIndexOf("\n", start - 1) + 1
  const indent = indentOf(text, start)
  // Only a loop that stands on a line of its own can have a line before it.
  if (text.slice(lineStart, start).trim() !== "") return undefined
  const end = text.slice(0, body.start).includes("\r\n") ? "\r\n" : "\n"
  if (isPython) {
    const name = freeName(text, "agent_steps")
    const inside = indentOf(text, body.start)
    if (inside.length <= indent.length) return undefined
    return [
      { start: lineStart, end: lineStart, text: `${indent}${name} = 0${end}` },
      {
        start: body.start,
        end: body.start,
        text: `${name} += 1${end}${inside}if ${name} > ${MOST_STEPS}:${end}${inside}    ` +
          `raise RuntimeError("The agent took more than ${MOST_STEPS} steps.")${end}${inside}`
      }
    ]
  }
  if (text.charAt(body.start) !== "{") return undefined
  const name = freeName(text, "agentSteps")
  const ends = /;[ \t]*\r?$/mu.test(text) ? ";" : ""
  return [
    { start: lineStart, end: lineStart, text: `${indent}let ${name} = 0${ends}${end}` },
    {
      start: body.start + 1,
      end: body.start + 1,
      text: `${end}${indent}  if (++${name} > ${MOST_STEPS}) throw new Error("The agent took more than ${MOST_STEPS} steps.")${ends}`
    }
  ]
}

const loopRisks = (file: AgentFile): ReadonlyArray<Risk> => {
  const askers = new Set(file.modelCalls.flatMap(({ call }) => call.within ?? []))
  const asks = ({ body }: Loop) =>
    [...file.modelCalls.map(({ call }) => call), ...file.source.calls.filter(({ name }) => askers.has(name))]
      .some(({ start }) => body.start <= start && start < body.end)
  return file.loops.filter((loop) => ENDLESS.test(loop.condition) && asks(loop) && !BOUND.test(file.textOf(loop).replaceAll(TOKENS, "")))
    .map((loop): Risk => {
      const edits = counted(file, loop)
      return { rule: "loop-without-bound", ...riskAt(file, loop.start), ...(edits === undefined ? {} : { edits }) }
    })
}

/** By provider: what bounds the answer, and what the limit is called. Anthropic asks for one itself. */
interface Limit {
  readonly provider: RegExp
  readonly callee: RegExp
  readonly named: RegExp
  readonly javascript: string
  readonly python: string
}

const LIMITS: ReadonlyArray<Limit> = [
  {
    provider: /^openai$/u,
    callee: /\.chat\.completions\.\w+$/u,
    named: /\bmax_(?:completion_)?tokens\b/u,
    javascript: "max_completion_tokens: 1024",
    python: "max_completion_tokens=1024"
  },
  {
    provider: /^openai$/u,
    callee: /\.responses\.\w+$/u,
    named: /\bmax_output_tokens\b/u,
    javascript: "max_output_tokens: 1024",
    python: "max_output_tokens=1024"
  },
  {
    provider: /^ai-sdk$/u,
    callee: /^(?:generateText|streamText|generateObject|streamObject)$/u,
    named: /\bmax(?:Output)?Tokens\b/u,
    javascript: "maxOutputTokens: 1024",
    python: ""
  },
  {
    provider: /^litellm$/u,
    callee: /(?:^|\.)a?completion$/u,
    named: /\bmax_(?:completion_)?tokens\b/u,
    javascript: "",
    python: "max_tokens=1024"
  }
]

/** Puts a member first: into the object that is the first argument, or among the arguments by name. */
const firstMember = ({ isPython, source: { text } }: AgentFile, call: Call, written: string): ReadonlyArray<Edit> | undefined => {
  const open = text.indexOf("(", call.start + call.callee.length)
  if (open === -1 || open >= call.end || written === "") return undefined
  const brace = /^\(\s*\{/u.exec(text.slice(open, call.end))
  if (isPython ? false : brace === null) return undefined
  const at = isPython ? open + 1 : open + (brace?.[0].length ?? 0)
  const gap = /^\s*/u.exec(text.slice(at, call.end))?.[0] ?? ""
  const isEmpty = isPython ? text.charAt(at + gap.length) === ")" : text.charAt(at + gap.length) === "}"
  // Arguments by position come first, so the new one goes behind them: that needs judgement.
  if (isPython && !isEmpty && !/^\w+\s*=(?!=)/u.test(text.slice(at + gap.length, at + gap.length + 80))) return undefined
  return [{ start: at, end: at, text: `${gap}${written}${isEmpty ? "" : ","}${isEmpty || gap !== "" ? "" : " "}` }]
}

/** An object that other members are spread into, or a value that is no object, may hold the limit. */
const mayHold = (written: string): boolean => /\.\.\.|\*\*/u.test(written) || /^[^(]*\(\s*[\w$.]+\s*(?:,|\)$)/u.test(written)

const limitRisks = (file: AgentFile): ReadonlyArray<Risk> =>
  file.modelCalls.flatMap(({ call, provider }): ReadonlyArray<Risk> => {
    const limit = LIMITS.find((one) => one.provider.test(provider) && one.callee.test(call.callee))
    const written = file.textOf(call)
    if (limit === undefined || limit.named.test(written) || mayHold(written)) return []
    const edits = firstMember(file, call, file.isPython ? limit.python : limit.javascript)
    return [{ rule: "no-token-limit", ...riskAt(file, call.start), ...(edits === undefined ? {} : { edits }) }]
  })

const CLIENT = /^(?:OpenAI|AzureOpenAI|Anthropic|AsyncOpenAI|AsyncAnthropic|openai\.(?:Async)?OpenAI|anthropic\.(?:Async)?Anthropic)$/u

const timeRisks = (file: AgentFile): ReadonlyArray<Risk> =>
  file.source.calls.filter((call) => {
    const written = file.textOf(call)
    const isClient = CLIENT.test(call.callee) && !/\btimeout\b/u.test(written) && !mayHold(written)
    return isClient && (file.isPython || /^new\s/u.test(written))
  }).map((call): Risk => {
    const written = file.textOf(call)
    const empty = /\(\s*\)$/u.exec(written)
    const edits = file.isPython
      ? firstMember(file, call, "timeout=60.0")
      : empty === null
      ? firstMember(file, call, "timeout: 60_000")
      : [{ start: call.start + empty.index, end: call.end, text: "({ timeout: 60_000 })" }]
    return { rule: "no-timeout", ...riskAt(file, call.start), ...(edits === undefined ? {} : { edits }) }
  })

export const budgetRisks = (file: AgentFile): ReadonlyArray<Risk> => [...loopRisks(file), ...limitRisks(file), ...timeRisks(file)]
