/** Why a rail is tried or left out, and why a rule applies or not, as the routing log says it, in the words of a page. Pure. */
import { money } from "@svc/design/format"
import { messagesOf } from "../i18n/messages.ts"
import { inWords } from "./parts.ts"
import { type Json, textAt } from "./values.ts"
import type { Visit } from "./visit.ts"

const TAKES_NOT = /^does not take (.+)$/u
const RULE = /^rule (.+)$/u
const DIFFERS = /^(currency|country|method) is (not given|[^\s,]+), not (\S+)$/u
const LIMIT = /^amount is (below|above) (\d+)$/u
const METADATA = "metadata "
const IS_NOT = " is not "

/** A reason that is not known here is said as it is. */
export const routingReason = (visit: Pick<Visit, "pageLocale">, reason: string, intent: Json): string => {
  const words = messagesOf(visit.pageLocale).payment.routingReasons
  const fixed: Readonly<Record<string, string>> = {
    "fallback order": words.usual,
    "all conditions hold": words.allHold,
    "is not installed": words.notInstalled
  }
  const known = fixed[reason]
  if (known !== undefined) return known
  const said = (word: string): string => word === "not given" ? words.notGiven : inWords(visit, word)
  const [, taken] = TAKES_NOT.exec(reason) ?? []
  if (taken !== undefined) return words.doesNotTake(said(taken))
  const [, rule] = RULE.exec(reason) ?? []
  if (rule !== undefined) return words.byRule(rule)
  const [, what, is = "", asked = ""] = DIFFERS.exec(reason) ?? []
  if (what === "currency" || what === "country" || what === "method") return words.differs(words[what], said(is), said(asked))
  const [, side, minor] = LIMIT.exec(reason) ?? []
  if (side === "below" || side === "above") return words[side](money(visit.pageLocale, Number(minor), textAt(intent, "currency")))
  const at = reason.startsWith(METADATA) ? reason.indexOf(IS_NOT) : -1
  return at === -1 ? reason : words.isNot(reason.slice(METADATA.length, at), reason.slice(at + IS_NOT.length))
}
