/**
 * The process. Settings, ports and the database of `DATABASE_URL` are checked before the services are loaded, which takes seconds: whoever
 * made a mistake reads it at once, and a start that is refused leaves nothing behind.
 */
// Compiles schemas to functions. It stands before all modules that make schemas.
import "effect/schema/SchemaJITCompiler/enable"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { unusableSetting } from "@svc/kernel/parts/settings"
import { Cause, Console, Effect, Exit, Layer, Option, Runtime } from "effect"
import { ServerConfig } from "./config.ts"
import { ensureReachable } from "./database-url.ts"
import { drainSecondsOf } from "./draining.ts"
import { ensureKeys } from "./keyring.ts"
import { redact } from "./logging.ts"
import { freeListeners } from "./ports.ts"
import { ensureSigningKey } from "./signing.ts"

/** Seconds after which a stop that hangs ends all the same: more than requests, deliveries and Postgres take together. */
const STOP_SECONDS = 30

const endStopWithin = (seconds: number) => {
  const startCountdown = () => {
    setTimeout(() => {
      process.stderr.write(
        `svc: It was told to stop ${seconds} s ago and still waits, most likely for a database that does not answer. ` +
          "It ends now. What was being committed happened whole or not at all; its idempotency key tells after the next start.\n"
      )
      process.exit(1)
    }, seconds * 1000).unref()
  }
  process.once("SIGTERM", startCountdown).once("SIGINT", startCountdown)
}

const program = Effect.gen(function*() {
  const config = yield* ServerConfig
  yield* ensureKeys(config)
  yield* ensureSigningKey(config)
  const listeners = yield* freeListeners(config)
  endStopWithin(drainSecondsOf(config) + STOP_SECONDS)
  yield* ensureReachable(config)
  const { application } = yield* Effect.promise(() => import("./application.ts"))
  return yield* Layer.launch(application(config, listeners))
}).pipe(Effect.provide(NodeFileSystem.layer))

/** Expected failures are one line; anything else is a bug and shows all it knows. */
const report = (cause: Cause.Cause<unknown>) => {
  const error = Option.getOrUndefined(Cause.findErrorOption(cause))
  const expected = typeof error === "object" && error !== null && "message" in error
  return Console.error(expected ? `svc: ${unusableSetting(error) ?? String(error.message)}` : redact(Cause.pretty(cause)))
}

/** A server that stops when told to has not failed. Effect's own 130 would make systemd, for one, start it again. */
const teardown: Runtime.Teardown = (exit, onExit) =>
  Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause) ? onExit(0) : Runtime.defaultTeardown(exit, onExit)

NodeRuntime.runMain(
  program.pipe(Effect.onExit((exit) => Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause) ? report(exit.cause) : Effect.void)),
  { disableErrorReporting: true, teardown }
)
