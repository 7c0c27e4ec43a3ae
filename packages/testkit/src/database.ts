/** The database of a test file: `layer(layerDatabase)("…", (it) => …)`. */
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { Data, Effect, Layer, Schema } from "effect"
import { connect } from "node:net"
import { inject } from "vitest"
import { layerClone, layerEmpty, ServerAddress, TemplateServer } from "./postgres.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** Path of the socket on which the test run answers with the address of its Postgres. */
    testPostgres: string
  }
}

/** What the test run answers. */
export const Answer = fromJsonText(Schema.Union([
  Schema.Struct({ address: ServerAddress }),
  Schema.Struct({ error: Schema.String })
]))

/** The run's Postgres could not be started or reached. */
export class TestDatabaseError extends Data.TaggedError("TestDatabaseError")<{ readonly message: string }> {}

/** Asks the test run for its Postgres. The first to ask makes it start, so runs without database tests never pay for it. */
const ask = (path: string) =>
  Effect.callback<string, TestDatabaseError>((resume) => {
    let text = ""
    const socket = connect(path)
    socket.setEncoding("utf8")
    socket.on("data", (chunk) => {
      text += chunk
    })
    socket.once("error", (error) =>
      resume(Effect.fail(
        new TestDatabaseError({
          message: `The test run does not answer about its Postgres: ${error.message}. Start the tests with npm test.`
        })
      )))
    socket.once("end", () => resume(Effect.succeed(text)))
    return Effect.sync(() => socket.destroy())
  })

const layerInjected = Layer.effect(
  TemplateServer,
  Effect.gen(function*() {
    const answer = yield* Schema.decodeEffect(Answer)(yield* ask(inject("testPostgres"))).pipe(
      Effect.catchTag("SchemaError", (error) => Effect.fail(new TestDatabaseError({ message: error.message })))
    )
    if ("error" in answer) return yield* new TestDatabaseError({ message: answer.error })
    return answer.address
  })
)

/** A fresh database with every migration applied, for one test file or one block of tests. Dropped at its end. */
export const layerDatabase = layerClone.pipe(Layer.provide(layerInjected))

/** A fresh database without a table. */
export const layerEmptyDatabase = layerEmpty.pipe(Layer.provide(layerInjected))
