/** Structured logs, one JSON line each, on standard error. Secrets and card numbers never get there. */
import { redactCardNumbers } from "@svc/kernel/card-numbers"
import { Layer, Logger, References } from "effect"
import type { LogLevel } from "effect"

const secrets = /\b(sk|rk|ok|agk)_(live|test)?_?[A-Za-z0-9]{8,}|\bwhsec_[A-Za-z0-9+/=]+|\bBearer\s+[^\s"\\]+/g

/** Hides API keys, signing secrets, bearer tokens and card numbers wherever they stand in a line. */
export const redact = (line: string): string =>
  redactCardNumbers(line.replace(secrets, (found) => `${found.slice(0, found.startsWith("Bearer") ? 6 : 7)}[redacted]`))

const logger = Logger.make((options) => {
  process.stderr.write(`${redact(Logger.formatJson.log(options))}\n`)
})

export const layer = (level: LogLevel.LogLevel) =>
  Layer.merge(Logger.layer([logger]), Layer.succeed(References.MinimumLogLevel, level))
