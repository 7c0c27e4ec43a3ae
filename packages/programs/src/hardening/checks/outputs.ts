/** What becomes of a model's answer, and what is told of prompts. */
import { type AgentFile, riskAt } from "../agent-file.ts"
import type { Risk } from "../rules.ts"

const PARSES = /^(?:JSON\.parse|json\.loads|parseJson)$/u
const CHECKED = new RegExp(
  "\\.safeParse\\(|(?<!JSON)\\.parse\\(|\\bvalidat\\w+\\(|\\bdecode\\w*\\(|\\bmodel_validate\\w*\\(|" +
    "\\bTypeAdapter\\(|\\bajv\\b|\\bassert\\w*\\(|\\bis[A-Z]\\w*\\(",
  "u"
)
const QUERIES = /\.(?:query|execute|executescript|raw|unsafe|\$queryRawUnsafe|\$executeRawUnsafe)$/u
const LOGS = /^(?:console|logger|log|logging)\.(?:log|info|debug|trace|warn|error|warning)$|^print$/u
const PERSONAL = new RegExp(
  "(?<![\\w$.\"'`])(?:messages|prompt|systemPrompt|system_prompt|userMessage|user_message|user_input|userInput|conversation|history|" +
    "completion)\\b(?!\\s{0,9}(?:\\.length|\\)\\.length|:))",
  "u"
)

const callRisks = (file: AgentFile): ReadonlyArray<Risk> =>
  file.source.calls.flatMap((call): ReadonlyArray<Risk> => {
    const [argument] = call.arguments
    if (argument === undefined) return []
    const at = riskAt(file, call.start)
    if (PARSES.test(call.callee) && file.isAnswer(argument, call.start) && !CHECKED.test(file.around(call.start))) {
      return [{ rule: "output-unchecked", ...at }]
    }
    if (QUERIES.test(call.callee) && file.isAnswer(argument, call.start)) return [{ rule: "output-queried", ...at }]
    if (
      /^document\.write(?:ln)?$|\.insertAdjacentHTML$/u.test(call.callee) && call.arguments.some((one) => file.isAnswer(one, call.start))
    ) {
      return [{ rule: "output-rendered", ...at }]
    }
    const isTold = file.modelCalls.length > 0 && LOGS.test(call.callee) && !/\blen\(/u.test(argument) &&
      call.arguments.some((one) => PERSONAL.test(one.replaceAll(/(["'])(?:\\.|(?!\1)[^\\\n])*\1/gu, "\"\"")))
    return isTold ? [{ rule: "prompt-logged", ...at }] : []
  })

const renderRisks = (file: AgentFile): ReadonlyArray<Risk> => [
  ...file.assignments.filter(({ name, value }) =>
    /\.(?:innerHTML|outerHTML)$/u.test(name) && file.isAnswer(file.textOf(value), value.start)
  ).map(({ start }): Risk => ({ rule: "output-rendered", ...riskAt(file, start) })),
  ...file.members.filter(({ name, value }) => name === "__html" && file.isAnswer(file.textOf(value), value.start))
    .map(({ start }): Risk => ({ rule: "output-rendered", ...riskAt(file, start) }))
]

export const outputRisks = (file: AgentFile): ReadonlyArray<Risk> => [...callRisks(file), ...renderRisks(file)]
