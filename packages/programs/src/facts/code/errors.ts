/** Where errors are thrown, returned and caught. */
import { type AnyFact, fact } from "../model.ts"
import { clip } from "../text.ts"
import type { Call, Source, Statement } from "./language.ts"
import { literal } from "./literals.ts"

const THROWN = /^(?:throw|raise|revert|return)?\s*(?:Object\.assign\(\s*)?(?:new\s+)?\\?([\p{L}_$][\p{L}\p{N}_$.:]*)?/u
const MESSAGE = /^[^"'`\n]{0,200}((["'`])(?:\\.|(?!\2)[^\\])*\2)/u
const CAUGHT =
  /^(?:catch|except|rescue)\s*\(?\s*(?:final\s+|const\s+)?([\p{L}_$][\p{L}\p{N}_$.:\\]*)?(?:\s*:\s*([\p{L}_$][\p{L}\p{N}_$.]*))?/u

/** A member that is called so, and is no variable. */
const MESSAGE_MEMBER = /[{,(]\s*message\s*[:=]\s*((["'`])(?:\\.|(?!\2)[^\\])*\2)/u

/** What the error says of itself, else the first text, where that is the value of no other member. */
const messageIn = (text: string): string | null => {
  const found = MESSAGE_MEMBER.exec(text) ?? MESSAGE.exec(text)
  const isOther = found !== null && /\{[^{}]*\bmessage\b/u.test(text) && !MESSAGE_MEMBER.test(text)
  return isOther ? null : literal(found?.[1]) ?? null
}

const ofThrow = (source: Source, { text, within, ...range }: Statement): AnyFact =>
  fact("error", clip(THROWN.exec(text)?.[1] ?? "error"), { style: "throw", message: messageIn(text), within }, source.span(range))

/** A catch is cited by its first line, not by its block. */
const ofCatch = (source: Source, { start, text, within }: Statement): AnyFact => {
  const [first = ""] = text.split("\n", 1)
  const [, name, type] = CAUGHT.exec(first) ?? []
  const span = source.span({ start, end: start + first.length })
  return fact("error", clip(type ?? name ?? "any error"), { style: "catch", message: null, within }, span)
}

/** Functions that make an error to be returned, or that throw by themselves. */
const RETURNED: ReadonlyArray<RegExp> = [
  /^(?:Err|bail!|anyhow!)$/u,
  /(?:^|\.)(?:Effect\.(?:fail|die)|Promise\.reject|Result\.(?:[Ff]ail|failure)|Either\.left)$/u,
  /(?:^|\.)(?:errors\.(?:New|Wrapf?)|fmt\.Errorf)$/u
]
const THROWING = /^(?:raise|panic|panic!|abort|revert|require|unreachable!|todo!|log\.Fatalf?)$/u
const RETURNED_OR_THROWN = new RegExp([...RETURNED, THROWING].map(({ source }) => source).join("|"), "u")
/** `require` of Solidity checks a condition; that of others imports or loads. */
const isThrowing = ({ callee }: Call, language: string) => THROWING.test(callee) && (callee !== "require" || language === "Solidity")

const ofCall = (source: Source, call: Call): ReadonlyArray<AnyFact> => {
  const returned = RETURNED.some((names) => names.test(call.callee))
  if (!returned && !isThrowing(call, source.language)) return []
  const [first = ""] = call.arguments
  const made = /^(?:new\s+)?([\p{Lu}][\p{L}\p{N}_]*(?:(?:::|\.)[\p{L}\p{N}_]+)*)/u.exec(first)?.[1]
  const said = call.arguments.map((one) => literal(one)).find((one) => one !== undefined) ?? messageIn(first)
  // A word that a function is given, which makes the error, is no message.
  const message = made === undefined && /^[\p{L}\p{N}_$.]+\(/u.test(first) && !/\s/u.test(said ?? "") ? null : said
  const value = { style: returned ? "return" : "throw", message, within: call.within } as const
  return [fact("error", clip(made ?? call.callee), value, source.span(call))]
}

export const errors = (source: Source): ReadonlyArray<AnyFact> => [
  ...source.throws.map((statement) => ofThrow(source, statement)),
  ...source.catches.map((statement) => ofCatch(source, statement)),
  ...source.callsWith("callee", RETURNED_OR_THROWN).flatMap((call) => ofCall(source, call))
]
