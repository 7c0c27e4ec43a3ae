/** Structured logs, one JSON line each, on standard error. Secrets and card numbers never get there. */
import { redactCardNumbers } from "@svc/kernel/values/card-numbers"
import { Layer, Logger, References } from "effect"
import type { LogLevel } from "effect"

// A token has more than ten characters. Text behind "Bearer" that is shorter, or up to 20 small letters, is a word of a message.
const WORD = "[A-Za-z][a-z]{0,19}[.,;:!?)]?(?=[\\s\"\\\\]|$)"
const secrets = new RegExp(
  `\\b(sk|rk|ok|agk|svck)_(live|test)?_?[A-Za-z0-9]{8,}|\\bwhsec_[A-Za-z0-9+/=]+|\\bBearer\\s+(?!${WORD})[^\\s"\\\\]{11,}`,
  "g"
)

/** Hides API keys, signing secrets, bearer tokens and card numbers wherever they stand in a line. */
export const redact = (line: string): string =>
  redactCardNumbers(line.replace(secrets, (found) => `${found.slice(0, found.startsWith("Bearer") ? 6 : 7)}[redacted]`))

const logger = Logger.make((options) => {
  process.stderr.write(`${redact(Logger.formatJson.log(options))}\n`)
})

export const layer = (level: LogLevel.LogLevel) => Layer.merge(Logger.layer([logger]), Layer.succeed(References.MinimumLogLevel, level))
