/** People who ask the API within the process, as the pages of the desk do. */
import { KnownScopes, type Role } from "@svc/accounts/access/model"
import { scopesOf } from "@svc/accounts/access/roles"
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { type Answer, type Ask, asking, type Question } from "@svc/desk/api/ask"
import { makeId } from "@svc/kernel/values/ids"
import { realNow } from "@svc/kernel/values/time"
import { listen } from "@svc/server/listener"
import * as routes from "@svc/server/routes"
import { Context, Effect, Layer } from "effect"
import { HttpClientRequest, HttpRouter, HttpServerRequest } from "effect/http"
import { SqlClient } from "effect/sql"
import { servicesWith } from "../services.ts"
import { layerLog, layerService, type Merchant } from "./service.ts"

/** A person of an account. */
export interface Member {
  readonly id: string
  readonly account: string
}

export class People extends Context.Service<People, {
  readonly join: (merchant: Pick<Merchant, "id">, role: Role) => Effect.Effect<Member>
  /** Gives the person another role; none takes every right of theirs. */
  readonly become: (member: Member, role: Role | undefined) => Effect.Effect<void>
  /** Asks as this person, with the role that they have now. */
  readonly ask: (member: Member, question: Question) => Effect.Effect<Answer>
}>()("@svc/testkit/contract/People") {}

const peopleWith = (ask: () => Ask) =>
  Layer.effect(
    People,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const accounts = yield* Accounts
      const known = (yield* KnownScopes) ?? new Set<string>()
      const pageRequest = HttpServerRequest.fromClientRequest(HttpClientRequest.get("/desk"))
      return People.of({
        join: Effect.fnUntraced(function*({ id: account }, role) {
          const id = makeId("usr", (yield* realNow).epochMilliseconds)
          yield* sql`INSERT INTO users (id, name, created_at, updated_at, version) VALUES (${id}, 'Ada', now(), now(), 1)`
          yield* sql`INSERT INTO members (account_id, user_id, role, created_at, updated_at, version)
            VALUES (${account}, ${id}, ${role}, now(), now(), 1)`
          return { id, account }
        }, Effect.orDie),
        become: ({ account, id }, role) =>
          Effect.orDie(Effect.asVoid(
            role === undefined
              ? sql`DELETE FROM members WHERE account_id = ${account} AND user_id = ${id}`
              : sql`UPDATE members SET role = ${role} WHERE account_id = ${account} AND user_id = ${id}`
          )),
        ask: Effect.fnUntraced(function*({ account, id }, question) {
          const [member] = yield* sql<
            { readonly role: Role }
          >`SELECT role FROM members WHERE account_id = ${account} AND user_id = ${id}`
          const role = member?.role ?? "viewer"
          const { epochMilliseconds: confirmed_at } = yield* realNow
          const facts = yield* accounts.facts(AccountId.make(account))
          const person = { id, role, session_id: "ses_test", confirmed_at, account: facts, clocked: false, scopes: scopesOf(role, known) }
          return yield* ask()(person, question).pipe(
            Effect.provideService(HttpServerRequest.HttpServerRequest, pageRequest),
            Effect.scoped
          )
        }, Effect.orDie)
      })
    })
  )

/** The whole service behind a listener, and people in it. */
export const layerOfPeople = Layer.unwrap(Effect.sync(() => {
  let ask: Ask | undefined
  const askable = HttpRouter.use((router) =>
    Effect.sync(() => {
      ask = asking(router)
    })
  )
  const people = peopleWith(() => {
    if (ask === undefined) throw new Error("the routes are not there yet")
    return ask
  })
  return Layer.merge(layerService, people).pipe(
    Layer.provideMerge(listen(Layer.merge(routes.layer, askable), { port: 0, host: "127.0.0.1", variable: "API_PORT" })),
    Layer.provideMerge(servicesWith()),
    Layer.provideMerge(layerLog)
  )
}))
