/** Nobody pays: a call without a price and without an idempotency key is counted, and nothing of it is kept. */
import { creditHeaders } from "@svc/metering/tool-calls/credit-summary"
import { Meter } from "@svc/metering/tool-calls/service/meter"
import type { ToolAnswer } from "@svc/tool-kit/gate/model"
import { answerOf } from "@svc/tool-kit/outcome"
import { Effect } from "effect"
import { type Admitted, run } from "../admitted.ts"
import { countPaid } from "../call-metrics.ts"

export const makeFree = Effect.map(Meter, (meter) =>
  Effect.fnUntraced(function*(admitted: Admitted): Effect.fn.Return<ToolAnswer> {
    const { caller, tool } = admitted
    const answer = answerOf(yield* run(admitted))
    countPaid(tool.name, "free", answer)
    if (answer._tag === "Answered" && !answer.isError) yield* meter.countFree(caller?.account.id, tool.name)
    return caller === undefined ? answer : { ...answer, headers: creditHeaders(yield* meter.recentSummary(caller.account.id)) }
  }))
