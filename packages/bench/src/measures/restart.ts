/** From `npm start` on data that exists already to the first 200. */
import { freePorts } from "@svc/testkit/ports"
import { Clock, Effect } from "effect"
import { join } from "node:path"
import { median } from "../load/histogram.ts"
import { ready, start } from "../processes.ts"
import { atMost, type Row, spread } from "../report.ts"
import { Stage } from "../stage.ts"

/** One start, its time to the first 200 in seconds, and its end. */
const once = Effect.fnUntraced(function*(dataDir: string) {
  const ports = yield* freePorts("api", "tools")
  const env = { DATA_DIR: dataDir, API_PORT: String(ports.api), TOOLS_PORT: String(ports.tools), HOST: "127.0.0.1" }
  const begun = yield* Clock.currentTimeMillis
  const program = yield* start("npm", ["start"], env, true)
  yield* ready(program, `http://127.0.0.1:${ports.api}/readyz`)
  return ((yield* Clock.currentTimeMillis) - begun) / 1000
}, Effect.scoped)

export const restart = Effect.gen(function*() {
  const { folder, plan } = yield* Stage
  const dataDir = join(folder, "start")
  const first = yield* once(dataDir)
  const again: Array<number> = []
  for (let n = 0; n < plan.restarts; n++) again.push(yield* once(dataDir))
  const value = median(again)
  return [
    { measure: "first npm start to first 200, database made", value: `${first.toFixed(2)} s` },
    atMost("second npm start to first 200", value, 3, spread(again, value, "s"), "<= 3 s")
  ] satisfies ReadonlyArray<Row>
})
