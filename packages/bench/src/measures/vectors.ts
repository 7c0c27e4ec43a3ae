/** How long the nearest of many vectors take to be found. */
import { Turns } from "@svc/stores/turns"
import { VectorMemory } from "@svc/stores/vectors/indexes"
import { vectors as resource } from "@svc/stores/vectors/resource"
import { Vectors } from "@svc/stores/vectors/service"
import { Clock, Effect, Layer } from "effect"
import { accountId } from "../merchants.ts"
import { settleAfterLoad } from "../postgres.ts"
import { figure, type Row } from "../report.ts"
import { Stage } from "../stage.ts"
import { chance, connections, timed, within } from "./stored.ts"

const DATABASE = "bench_vectors"
const DIMENSIONS = 384
const AT_ONCE = 500
const MILLIS = 400

export const vectors = Effect.gen(function*() {
  const { plan } = yield* Stage
  const next = chance(1)
  const vector = () => Array.from({ length: DIMENSIONS }, () => next() - 0.5)
  const measured = Effect.gen(function*() {
    const store = yield* Vectors
    const account = accountId(0)
    for (let n = 0; n < plan.stored; n += AT_ONCE) {
      yield* store.upsert(
        account,
        "bench",
        Array.from({ length: AT_ONCE }, (_, m) => ({ id: `v${n + m}`, vector: vector(), metadata: { group: m % 10 } })),
        {}
      )
    }
    yield* settleAfterLoad(DATABASE)
    const ask = Effect.suspend(() => store.query(account, "bench", { vector: vector() }, { count: 10 }))
    const begun = yield* Clock.currentTimeMillis
    yield* ask
    const cold = (yield* Clock.currentTimeMillis) - begun
    const warm = yield* timed(plan.questions, () => ask)
    const what = `top 10 of ${plan.stored.toLocaleString("en")} vectors of ${DIMENSIONS} dimensions, exact cosine`
    return [
      within(what, warm, MILLIS),
      { measure: "the first question after a start, which reads them from the database", value: `${figure(cold)} ms` }
    ] satisfies ReadonlyArray<Row>
  })
  const services = resource.services.pipe(
    Layer.provide([Turns.layer, Layer.succeed(VectorMemory, 512)]),
    Layer.provide(connections(DATABASE))
  )
  return yield* Effect.provide(measured, services)
}).pipe(Effect.scoped)
