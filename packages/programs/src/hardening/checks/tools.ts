/** What tools of an agent may do with what a caller, that is the model, hands them. */
import { literal } from "../../facts/code/literals.ts"
import { type AgentFile, type Call, riskAt } from "../agent-file.ts"
import type { Risk, RuleId } from "../rules.ts"

interface Danger {
  readonly rule: RuleId
  readonly callee: RegExp
  /** Of the call's text, where the callee alone says too little. */
  readonly written?: RegExp
  /** What in the function around says that the value was checked. */
  readonly guard: RegExp
}

const LISTED = /allow|permit|whitelist|safe|\.(?:has|includes)\(/iu

const DANGERS: ReadonlyArray<Danger> = [
  {
    rule: "shell-tool",
    callee: /^(?:child_process\.|cp\.|os\.)?(?:exec|execSync|system|popen)$|^execAsync$|^commands\.getoutput$/u,
    guard: LISTED
  },
  {
    rule: "shell-tool",
    callee: /^(?:child_process\.|cp\.)?(?:spawn|spawnSync|execFile)$|^subprocess\.(?:run|call|Popen|check_output|check_call)$/u,
    written: /\bshell\s{0,9}[:=]\s{0,9}[Tt]rue\b/u,
    guard: LISTED
  },
  {
    rule: "code-tool",
    callee: /^(?:eval|exec|Function|vm\.(?:runInNewContext|runInThisContext|runInContext)|builtins\.(?:eval|exec))$/u,
    guard: /\bsandbox/iu
  },
  {
    rule: "file-tool",
    callee: new RegExp(
      "^(?:fs\\.|fsp\\.|fs\\.promises\\.|promises\\.)?(?:readFile|writeFile|appendFile|unlink|rm|createReadStream|createWriteStream|" +
        "readdir)(?:Sync)?$|^open$|^os\\.(?:remove|unlink)$|^shutil\\.rmtree$",
      "u"
    ),
    guard: /\.startsWith\(|\brelative\(|\bis_relative_to\(|\bcommonpath\(|\bbasename\(|\b\w*(?:allow|inside|within|contain)\w*\b/iu
  },
  {
    rule: "network-tool",
    callee: new RegExp(
      "^(?:fetch|axios(?:\\.(?:get|post|request))?|got(?:\\.\\w+)?|requests\\.(?:get|post|request)|httpx\\.(?:get|post)|" +
        "urllib\\.request\\.urlopen|urlopen)$",
      "u"
    ),
    guard: /\.(?:hostname|host|origin)\b|\burlparse\(|allow/iu
  }
]

/** `exec` is a method of regular expressions, and in Python it runs code. */
const isMeant = ({ isPython }: AgentFile, { callee }: Call, { rule }: Danger): boolean =>
  callee !== "exec" || (rule === "code-tool") === isPython

/** Whether the text of the first argument itself comes from outside, and not a part that follows a fixed beginning. */
const isOpen = (rule: RuleId, argument: string): boolean =>
  rule !== "network-tool" || !/^[`"'f]{1,2}https?:\/\/[^$"'`{}]{1,200}\//u.test(argument)

const withoutCall = (around: string, written: string): string => around.replace(written, "")

const dangers = (file: AgentFile): ReadonlyArray<Risk> =>
  file.source.calls.flatMap((call): ReadonlyArray<Risk> => {
    const written = file.textOf(call)
    const danger = DANGERS.find((one) => one.callee.test(call.callee) && isMeant(file, call, one) && one.written?.test(written) !== false)
    const argument = call.arguments[0]
    if (danger === undefined || argument === undefined || file.source.commented(call.start)) return []
    const isConstant = literal(argument) !== undefined && !/\$\{|^[fF]["']/u.test(argument)
    if (isConstant) return []
    const runs = danger.rule === "shell-tool" || danger.rule === "code-tool"
    if (runs && file.isAnswer(argument, call.start)) return [{ rule: "output-executed", ...riskAt(file, call.start) }]
    const isRisk = isOpen(danger.rule, argument) && file.isUntrusted(argument, call.start) &&
      !danger.guard.test(withoutCall(file.around(call.start), written))
    return isRisk ? [{ rule: danger.rule, ...riskAt(file, call.start) }] : []
  })

const SCHEMA = /\b(?:inputSchema|input_schema|parameters|schema|paramsSchema|args_schema|inputs)\b/u
const WITHOUT_ARGUMENTS = /^(?:async\s+)?(?:function(?:\s+\w+)?\s*)?\(\s*\)/u
const HANDLER = /^(?:async\b|function\b|\([^)]*\)\s*=>|[\w$]+\s*=>)/u

/** Definitions of tools whose arguments nothing describes. */
const withoutSchema = (file: AgentFile): ReadonlyArray<Risk> =>
  file.source.calls.filter((call) => {
    const { arguments: given, callee } = call
    if (callee.endsWith(".tool")) {
      const handler = given.at(-1) ?? ""
      return literal(given[0]) !== undefined && HANDLER.test(handler) && !WITHOUT_ARGUMENTS.test(handler) &&
        given.slice(1, -1).every((one) => literal(one) !== undefined)
    }
    if (/(?:^|\.)registerTool$/u.test(callee)) {
      const handler = given[2] ?? ""
      return !SCHEMA.test(given[1] ?? "") && !/^[\w$.]+$/u.test(given[1] ?? "") && HANDLER.test(handler) && !WITHOUT_ARGUMENTS.test(handler)
    }
    if (callee !== "tool" && callee !== "DynamicTool") return false
    const written = file.textOf(call)
    return given.length === 1 && written.includes("execute") && !SCHEMA.test(written) &&
      !/\bexecute\s{0,9}:\s{0,9}(?:async\s+)?\(\s*\)/u.test(written)
  }).map(({ start }): Risk => ({ rule: "tool-without-schema", ...riskAt(file, start) }))

export const toolRisks = (file: AgentFile): ReadonlyArray<Risk> => [...dangers(file), ...withoutSchema(file)]
