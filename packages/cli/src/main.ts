/** `svc`: the command line. Exit codes: 0 it worked, 1 it did not, 2 it was called wrongly. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Actor } from "@svc/kernel/parts/actor"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import * as logging from "@svc/server/logging"
import { Cause, Console, Effect, Exit, Layer, Runtime, Schema } from "effect"
import { Command } from "effect/cli"
import { readFileSync } from "node:fs"
import { userInfo } from "node:os"
import { argumentsOf, commandFor } from "./command.ts"
import { isUsage, reportOf } from "./failure.ts"
import * as help from "./help.ts"

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

const args = argumentsOf(process.argv.slice(2))
const json = args.includes("--json")

const report = (cause: Cause.Cause<unknown>) =>
  Cause.hasInterruptsOnly(cause) || isUsage(cause) ? Effect.void : Console.error(reportOf(cause, json, logging.redact))

const teardown: Runtime.Teardown = (exit, onExit) => {
  if (Exit.isFailure(exit) && isUsage(exit.cause)) {
    onExit(Runtime.getErrorExitCode(Cause.squash(exit.cause)) === 0 ? 0 : 2)
  } else Runtime.defaultTeardown(exit, onExit)
}

NodeRuntime.runMain(
  Effect.flatMap(commandFor(args), (command) => Command.runWith(command, { version })(args)).pipe(
    Effect.onExit((exit) => Exit.isFailure(exit) ? report(exit.cause) : Effect.void),
    Effect.provideService(Actor, { type: "command_line", id: userName() }),
    Effect.provide(Layer.mergeAll(NodeServices.layer, NodeCrypto.layer, help.layer(json), logging.layer("Warn")))
  ),
  { disableErrorReporting: true, teardown }
)
