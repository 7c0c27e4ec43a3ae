/** `svc`: the command line. Exit codes: 0 it worked, 1 it did not, 2 it was called wrongly. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Actor } from "@svc/kernel/actor"
import { fromJsonText } from "@svc/kernel/json"
import * as logging from "@svc/server/logging"
import { Cause, Console, Effect, Exit, Layer, Runtime, Schema } from "effect"
import { Command } from "effect/cli"
import { readFileSync } from "node:fs"
import { userInfo } from "node:os"
import { root } from "./command.ts"
import { lineOf } from "./failure.ts"

const Manifest = fromJsonText(Schema.Struct({ version: Schema.String }))
const { version } = Schema.decodeSync(Manifest)(readFileSync(new URL("../package.json", import.meta.url), "utf8"))

/** Who runs the command, for the audit log; null where the operating system knows no name. */
const userName = (): string | null => {
  try {
    return userInfo().username
  } catch {
    return null
  }
}

const isUsage = (error: unknown) => typeof error === "object" && error !== null && "_tag" in error && error._tag === "ShowHelp"

const report = (cause: Cause.Cause<unknown>) => {
  if (Cause.hasInterruptsOnly(cause) || isUsage(Cause.squash(cause))) return Effect.void
  const line = lineOf(cause)
  return Console.error(line === undefined ? logging.redact(Cause.pretty(cause)) : `svc: ${logging.redact(line)}`)
}

const teardown: Runtime.Teardown = (exit, onExit) => {
  if (Exit.isFailure(exit) && isUsage(Cause.squash(exit.cause))) {
    onExit(Runtime.getErrorExitCode(Cause.squash(exit.cause)) === 0 ? 0 : 2)
  } else Runtime.defaultTeardown(exit, onExit)
}

NodeRuntime.runMain(
  Command.run(root, { version }).pipe(
    Effect.onExit((exit) => Exit.isFailure(exit) ? report(exit.cause) : Effect.void),
    Effect.provideService(Actor, { type: "command_line", id: userName() }),
    Effect.provide(Layer.mergeAll(NodeServices.layer, NodeCrypto.layer, logging.layer("Warn")))
  ),
  { disableErrorReporting: true, teardown }
)
