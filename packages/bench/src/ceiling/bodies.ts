/** What the script stores as replies and events: the answers of our own service to one charge, so that sizes are the same. */
import { Effect, Schema } from "effect"
import { authorize, capture, create } from "../load/charge.ts"
import { Connection } from "../load/connection.ts"
import { secretKey } from "../merchants.ts"
import { BenchFailed } from "../processes.ts"

export interface Bodies {
  readonly created: string
  readonly authorized: string
  readonly captured: string
  readonly metadata: string
  readonly attempts: string
  readonly routing: string
}

const Intent = Schema.fromJsonString(Schema.Struct({ metadata: Schema.Json, attempts: Schema.Json }))

/** Makes one charge of merchant 0 and keeps what was answered. */
export const recordBodies = Effect.fn("recordBodies")(function*(port: number) {
  const answers: Array<string> = []
  const routing = yield* Effect.tryPromise({
    try: async () => {
      const connection = new Connection(port)
      const send = async (method: string, path: string, key: string, body: string) => {
        const answer = await connection.send(method, path, key, body)
        answers.push(answer.body)
        return answer
      }
      const id = await create(send, 0)
      await authorize(send, 0, id)
      await capture(send, 0, id)
      const log = await connection.send("GET", `/v1/payment_intents/${id}/routing`, secretKey(0), "")
      connection.close()
      return log.body
    },
    catch: (error) => new BenchFailed({ message: `The charge to copy failed: ${String(error)}` })
  })
  const [created = "", authorized = "", captured = ""] = answers
  const { attempts, metadata } = yield* Schema.decodeEffect(Intent)(captured)
  const bodies: Bodies = { created, authorized, captured, routing, metadata: JSON.stringify(metadata), attempts: JSON.stringify(attempts) }
  return bodies
})
