/** For tests that count what a commit costs the database. */
import { Context, Effect, Layer } from "effect"
import * as database from "../database/client.ts"

/** Texts of the statements that commits were sent with. */
export class Sent extends Context.Service<Sent, Array<string>>()("@svc/kernel/sent-fixture/Sent") {}

/** Notes what the commit connection is asked. */
export const noted = Layer.effect(
  database.CommitClient,
  Effect.gen(function*() {
    const sql = yield* database.CommitClient
    const sent = yield* Sent
    return new Proxy(sql, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name)
        if (name !== "unsafe" || typeof value !== "function") return value
        return (text: string, ...rest: ReadonlyArray<unknown>) => {
          sent.push(text)
          return Reflect.apply(value, target, [text, ...rest])
        }
      }
    })
  })
).pipe(Layer.provideMerge(Layer.sync(Sent, () => [])))
