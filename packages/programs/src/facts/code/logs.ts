/** Where something is logged. */
import { type AnyFact, fact } from "../model.ts"
import { clip } from "../text.ts"
import type { Call, Source } from "./language.ts"
import { literal } from "./literals.ts"

const LOGGER =
  /(?:^|[._>$:-])(?:console|log|logger|logging|slog|logrus|zap|pino|winston|sugar|effect|rails\.logger|_?logger|app\.log|log4j)$/iu
const LEVELS =
  /^(?:log)?(trace|debug|verbose|info|information|notice|warn|warning|error|fatal|critical|exception|alert|panic)(?:f|ln|w|context)?!?$/iu
const PRINTED = /^(?:log|print|println|printf|writeline|fatalf|fatalln)$/iu
/** Macros and functions that name no logger. */
const ALONE = /^(?:(?:tracing|log)::)?(trace|debug|info|warn|error)!?$|^(?:NSLog|os_log|error_log|eprintln!?)$/u

/** What functions are called that may log. */
const NAMES = new RegExp(`${LEVELS.source}|${PRINTED.source}|^(?:NSLog|os_log|error_log|eprintln!?)$`, "iu")

const LEVEL_NAMES: Readonly<Record<string, string>> = {
  information: "info",
  warning: "warn",
  exception: "error",
  critical: "fatal",
  panic: "fatal"
}

const levelOf = ({ callee, name, object }: Call, language: string): string | undefined => {
  const level = LEVELS.exec(name)?.[1]?.toLowerCase()
  const isPrinted = PRINTED.test(name)
  const logs = (level !== undefined || isPrinted) && LOGGER.test(object)
  if (logs && level !== undefined) return LEVEL_NAMES[level] ?? level
  if (logs && isPrinted) return name.toLowerCase().startsWith("fatal") ? "fatal" : "log"
  const alone = language === "Rust" || /^(?:NSLog|os_log|error_log)$/u.test(callee) ? ALONE.exec(callee) : null
  return alone === null ? undefined : alone[1] ?? "error"
}

/** Who logs: the object, or for a macro that was imported, as by `use tracing::warn`, what it was imported from. */
const loggerOf = ({ name, object }: Call, { imports, language }: Source): string => {
  if (object !== "") return object
  const macro = name.replace(/!$/u, "")
  const from = language === "Rust" ? imports.find(({ target }) => target === `tracing::${macro}` || target === `log::${macro}`) : undefined
  return from?.target.split("::", 1)[0] ?? name
}

export const logs = (source: Source): ReadonlyArray<AnyFact> =>
  source.callsWith("name", NAMES).flatMap((call) => {
    const level = levelOf(call, source.language)
    if (level === undefined) return []
    const message = call.arguments.map((one) => literal(one)).find((one) => one !== undefined) ?? null
    return [fact("log", clip(loggerOf(call, source)), { level, message, within: call.within }, source.span(call))]
  })
