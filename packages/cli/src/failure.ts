/** Failures of commands, each one line for the person who typed it: what, why, and what to do next. */
import { unusableSetting } from "@svc/kernel/parts/settings"
import { Cause, Data, Option, Predicate, Runtime } from "effect"
import { CliError } from "effect/cli"
import { plain, plainJson } from "./resources/plain.ts"

/** The command did not work. Exit code 1. */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{ readonly message: string }> {}

/** The API refused what the command asked for. Exit code 1. */
export class Refused extends Data.TaggedError("Refused")<{
  readonly message: string
  /** What `--json` prints: the refusal as it came, and the idempotency key of the act. */
  readonly json: Readonly<Record<string, unknown>>
}> {}

/** The command was called wrongly in a way that no single flag shows. Exit code 2. */
export class CalledWrongly extends Data.TaggedError("CalledWrongly")<{ readonly message: string }> {
  override readonly [Runtime.errorExitCode] = 2
}

/** What a failure says of itself, on one line. */
export const messageOf = (error: unknown): string =>
  unusableSetting(error) ?? (Predicate.hasProperty(error, "message") && Predicate.isString(error.message) && error.message !== ""
    ? error.message.split("\n").map((line) => line.trim()).join(" ")
    : String(error))

/** An expected failure's one line; nothing when the cause is a bug, which shows all it knows. */
export const lineOf = (cause: Cause.Cause<unknown>): string | undefined =>
  Option.getOrUndefined(Option.map(Cause.findErrorOption(cause), messageOf))

/** A mistake in the call, which `help.ts` has shown already. */
export const isUsage = (cause: Cause.Cause<unknown>): boolean => {
  const error = Cause.squash(cause)
  return CliError.isCliError(error) && error._tag === "ShowHelp"
}

interface Failure {
  readonly error: "failed" | "called_wrongly"
  readonly message: string
}

/** A failure as it is printed. */
export const failureText = (failure: Failure, json: boolean): string =>
  json ? plainJson(JSON.stringify(failure)) : `svc: ${plain(failure.message)}`

/** What is printed of a cause. `redact` hides secrets. */
export const reportOf = (cause: Cause.Cause<unknown>, json: boolean, redact: (text: string) => string): string => {
  const line = lineOf(cause)
  const failure = Cause.squash(cause)
  if (json && failure instanceof Refused) return plainJson(redact(JSON.stringify(failure.json)))
  const error = Runtime.getErrorExitCode(failure) === 2 ? "called_wrongly" : "failed"
  return line === undefined ? redact(Cause.pretty(cause)) : failureText({ error, message: redact(line) }, json)
}
