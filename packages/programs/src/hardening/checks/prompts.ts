/** What is written into prompts. */
import type { Range } from "../../facts/code/language.ts"
import { type AgentFile, riskAt } from "../agent-file.ts"
import type { Risk } from "../rules.ts"

const SYSTEM = /^(?:system|systemPrompt|system_prompt|systemInstruction|system_instruction|instructions)$/u
const SYSTEM_ROLE = /["']?role["']?\s{0,9}[:=]\s{0,9}["'](?:system|developer)["']/u
const CONTENT = /^(?:content|text)$/u

/** Values that a model reads as its own instructions. */
const systemPrompts = ({ members, source, textOf }: AgentFile): ReadonlyArray<Range> =>
  members.filter(({ end, name, start }) => {
    if (SYSTEM.test(name)) return true
    if (!CONTENT.test(name)) return false
    // The object around the member names the role, before or behind it.
    const open = source.text.lastIndexOf("{", start)
    const close = source.text.indexOf("}", end)
    return SYSTEM_ROLE.test(textOf({ start: Math.max(open, start - 400), end: close === -1 ? end : Math.min(close, end + 200) }))
  }).map(({ value }) => value)

/** What is inserted into a text: `${…}`, `{…}` of an f-string, and what `+` adds. Undefined for a constant. */
const insertedInto = (written: string): string | undefined => {
  const template = /^(?:`|[fF][rR]?["']|[rR][fF]["'])/u.test(written)
  const braces = written.startsWith("`") ? /\$\{([^{}]{1,300})\}/gu : /\{([^{}]{1,300})\}/gu
  if (template) return Array.from(written.matchAll(braces), ([, inserted]) => inserted).join(" ") || undefined
  if (/^["'`]/u.test(written) || /["'`]$/u.test(written)) {
    const outside = written.replaceAll(/(["'])(?:\\.|(?!\1)[^\\\n])*\1/gu, " ").replaceAll(/`[^`]*`/gu, " ")
    return /[+%]|\.(?:concat|format|join)\(/u.test(outside) ? outside : undefined
  }
  return undefined
}

/** A prompt that a variable holds is looked up where the variable is assigned. */
const writtenOf = ({ assignments, textOf }: AgentFile, value: Range): string => {
  const written = textOf(value)
  const assigned = /^[\w$]+$/u.test(written) ? assignments.find(({ name }) => name === written) : undefined
  return assigned === undefined ? written : textOf(assigned.value)
}

const CREDENTIAL = /(?:\b|_)(?:api_?key|secret|password|passwd|access_?token|private_?key)\b/iu
const PROMPT = /^(?:prompt|content|input|messages|text)$/u

export const promptRisks = (file: AgentFile): ReadonlyArray<Risk> => {
  const system = systemPrompts(file)
  const injected = system.filter((value) => {
    const inserted = insertedInto(writtenOf(file, value))
    return inserted !== undefined && file.isUntrusted(inserted, value.start)
  })
  const others = file.modelCalls.length === 0 ? [] : file.members.filter(({ name }) => PROMPT.test(name)).map(({ value }) => value)
  const known = new Set(system.map(({ start }) => start))
  const leaking = [...system, ...others.filter(({ start }) => !known.has(start))].filter((value) => {
    const inserted = insertedInto(writtenOf(file, value))
    return inserted !== undefined && (CREDENTIAL.test(inserted) || /_(?:KEY|TOKEN|SECRET|PASSWORD)\b/u.test(inserted))
  })
  return [
    ...injected.map(({ start }): Risk => ({ rule: "untrusted-system-prompt", ...riskAt(file, start) })),
    ...leaking.map(({ start }): Risk => ({ rule: "secret-in-prompt", ...riskAt(file, start) }))
  ]
}
