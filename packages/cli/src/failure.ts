/** Failures of commands, each one line for the person who typed it: what, why, and what to do next. */
import { unusableSetting } from "@svc/kernel/settings"
import { Cause, Data, Option, Predicate, Runtime } from "effect"

/** The command did not work. Exit code 1. */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{ readonly message: string }> {}

/** The command was called wrongly in a way that no single flag shows. Exit code 2. */
export class CalledWrongly extends Data.TaggedError("CalledWrongly")<{ readonly message: string }> {
  override readonly [Runtime.errorExitCode] = 2
}

/** What a failure says of itself, on one line. */
export const messageOf = (error: unknown): string =>
  unusableSetting(error) ?? (Predicate.hasProperty(error, "message") && Predicate.isString(error.message) && error.message !== ""
    ? error.message.replaceAll(/\s*\n\s*/g, " ")
    : String(error))

/** An expected failure's one line; nothing when the cause is a bug, which shows all it knows. */
export const lineOf = (cause: Cause.Cause<unknown>): string | undefined =>
  Option.getOrUndefined(Option.map(Cause.findErrorOption(cause), messageOf))
