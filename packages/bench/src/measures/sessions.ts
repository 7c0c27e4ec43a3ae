/** Memory of a server that holds many open streams of MCP sessions, and whether it goes on serving calls. */
import { Effect } from "effect"
import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { Hold, Holding } from "../load/holder.ts"
import { createDatabase, dropDatabase } from "../postgres.ts"
import { BenchFailed, load, startServer } from "../processes.ts"
import { figure, type Row } from "../report.ts"
import { perSecond, Stage } from "../stage.ts"
import { memory } from "../usage.ts"
import { ARGUMENTS, TOOL } from "./tools.ts"

const DATABASE = "bench_sessions"
const startHolder = Effect.acquireRelease(
  Effect.sync(() => fork(fileURLToPath(new URL("../load/holder.ts", import.meta.url)), { stdio: ["ignore", "ignore", "inherit", "ipc"] })),
  (child) => Effect.sync(() => child.kill("SIGKILL"))
)

const asked = (child: Effect.Success<typeof startHolder>, message: Hold | object) =>
  Effect.callback<Holding, BenchFailed>((resume) => {
    child.once("exit", (code) => resume(Effect.fail(new BenchFailed({ message: `The holder of streams ended with code ${code}` }))))
    child.once("message", (holding: Holding) => resume(Effect.succeed(holding)))
    child.send(message)
  })

export const sessions = Effect.gen(function*() {
  const { folder, plan } = yield* Stage
  yield* Effect.addFinalizer(() => Effect.orDie(dropDatabase(DATABASE)))
  // One that has served nothing before: its memory is that of the streams.
  const server = yield* startServer((yield* createDatabase(DATABASE, plan.merchants)).url, folder)
  const before = memory(server.pid)
  const holder = yield* startHolder
  const { failure } = yield* asked(holder, { port: server.toolsPort, sessions: plan.sessions } satisfies Hold)
  if (failure !== undefined) return yield* new BenchFailed({ message: `Not all streams could be opened: ${failure}` })
  const calls = yield* load({
    kind: "tool_calls",
    port: server.toolsPort,
    connections: plan.connections,
    firstMerchant: 0,
    merchants: plan.merchants,
    tool: TOOL,
    arguments: ARGUMENTS,
    caller: { _tag: "Sessions" },
    warmup: 2,
    // Longer than the silence after which each stream is sent something.
    seconds: plan.latencySeconds
  })
  const { broken, open } = yield* asked(holder, {})
  if (open !== plan.sessions) {
    return yield* new BenchFailed({ message: `${open} of ${plan.sessions} streams are open in the end, ${broken} broke` })
  }
  const used = memory(server.pid)
  const measure = `memory (RSS) of the server with ${
    plan.sessions.toLocaleString("en")
  } open streams of MCP sessions, highest, calls beside them`
  return [
    {
      measure,
      value: used === undefined
        ? "only Linux tells"
        : `${figure(used.highest)} MiB (${figure(before?.now ?? Number.NaN)} before, ${figure(used.now)} at the end)`
    },
    {
      measure: "free calls a second meanwhile, and the latency of one, p50 and p99",
      value: `${figure(perSecond(calls))} calls/s, ${figure(calls.latency.p50)} and ${figure(calls.latency.p99)} ms`
    }
  ] satisfies ReadonlyArray<Row>
}).pipe(Effect.scoped)
