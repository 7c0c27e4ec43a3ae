import { EmbeddedPostgres, layer } from "@svc/kernel/database/embedded"
import { Effect } from "effect"
import { load, startPeer, startServer } from "./processes.ts"
import { createDatabase, settle } from "./postgres.ts"
import { mkdtempSync } from "node:fs"
import { cpuSeconds, memory } from "./usage.ts"
const dir = mkdtempSync("/tmp/bench-")
const secs = Number(process.argv[2] ?? 8)
const who = process.argv[3] ?? "ours"
const rounds = Number(process.argv[4] ?? 2)
await Effect.runPromise(Effect.scoped(Effect.gen(function*() {
  const db = yield* createDatabase("ours", 1000)
  const pg = (yield* EmbeddedPostgres).pid
  console.log(db.url)
  const server = who === "peer" ? yield* startPeer(db.url) : yield* startServer(db.url, dir)
  yield* settle
  for (let i = 0; i < rounds; i++) {
    const before = [cpuSeconds(server.pid)!, cpuSeconds(pg, true)!]
    const r = yield* load({ kind: "charges", port: server.port, connections: 16, firstMerchant: 0, merchants: 1000, rate: 0, warmup: 0, seconds: secs })
    const after = [cpuSeconds(server.pid)!, cpuSeconds(pg, true)!]
    const ms = after.map((a, i) => (a - before[i]!) * 1000 / r.done)
    console.log(`${(r.done / r.seconds).toFixed(0)}/s cpu ms per charge: node ${ms[0]!.toFixed(2)} postgres ${ms[1]!.toFixed(2)} load ${(r.cpu * 1000 / r.done).toFixed(2)}; p50 ${r.latency.p50.toFixed(1)} p99 ${r.latency.p99.toFixed(1)} rss ${memory(server.pid)?.now.toFixed(0)}`)
  }
  if (process.argv[5] === "hold") { console.log("server", server.pid); yield* Effect.never }
})).pipe(Effect.provide(layer({ dataDir: dir + "/pg" }))) as any)
