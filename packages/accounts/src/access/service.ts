/** The handlers that most resources have. `expand[]` shows nothing that the key could not retrieve by itself. */
import { LONG_STATEMENTS_AT_ONCE } from "@svc/kernel/http/giving-way"
import { ifMatchOf } from "@svc/kernel/http/if-match"
import { type KeyedBody, keyedRequest, mayBeKeyed } from "@svc/kernel/http/keyed"
import { makePlaces } from "@svc/kernel/http/places"
import { type Reply, respond } from "@svc/kernel/http/reply"
import type { Forbidden } from "@svc/kernel/resource/errors"
import { expander, type Expansion } from "@svc/kernel/resource/expansion"
import type { Keyed } from "@svc/kernel/resource/idempotency"
import type { Command, CommandOn } from "@svc/kernel/resource/keyed-verbs"
import { checkPage, listOwn, type Page, type PageRequest } from "@svc/kernel/resource/pages"
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { type AccountFacts, Caller, lacksScope } from "./model.ts"

interface One {
  readonly params: { readonly id: string }
}

interface Expanding<Path> {
  readonly query: { readonly "expand[]"?: ReadonlyArray<Path> }
}

type Get<A, E, R> = (account: string, id: string) => Effect.Effect<A, E, R>
type List<Filter, A, E, R> = (account: string, filter: Filter, page: PageRequest) => Effect.Effect<Page<A>, E, R>

const refusalFor = ({ kind, person, scopes }: Caller["Service"], needed: ReadonlyArray<string>): Forbidden | undefined => {
  const missing = kind === "secret" ? undefined : needed.find((scope) => scopes?.has(scope) !== true)
  return missing === undefined ? undefined : lacksScope(missing, person)
}

/**
 * For the handlers of a resource: what the query asks to expand, in one that is loaded or in a page. The key's scopes are looked at before
 * anything is loaded.
 */
export const expanding = <Fields, R, Path extends string>(expansion: Expansion<Fields, R, Path>) =>
  Effect.map(expander(expansion), ({ expand, scopes }) => {
    const among = Effect.fnUntraced(function*<Found, A extends object, E, R2>(
      paths: ReadonlyArray<Path>,
      load: Effect.Effect<Found, E, R2>,
      rowsOf: (found: Found) => ReadonlyArray<A>
    ) {
      const caller = yield* Caller
      const refused = refusalFor(caller, scopes(paths))
      if (refused !== undefined) return yield* refused
      const resource = yield* load
      return { resource, rows: yield* expand(caller.account.id, rowsOf(resource), paths) }
    })
    const one = <A extends object, E, R2>(paths: ReadonlyArray<Path> | undefined, load: Effect.Effect<A, E, R2>) =>
      Effect.map(among(paths ?? [], load, (found) => [found]), ({ resource, rows: [row = resource] }) => row)
    const page = <A extends object, E, R2>(paths: ReadonlyArray<Path> | undefined, load: Effect.Effect<Page<A>, E, R2>) =>
      Effect.map(among(paths ?? [], load, ({ data }) => data), ({ resource, rows }): Page<A> => ({ ...resource, data: rows }))
    return {
      one,
      page,
      /** As {@link retrieving}, with what the query asks to expand. */
      retrieving: <A extends object, E, R2>(get: Get<A, E, R2>) => ({ params, query }: One & Expanding<Path>) =>
        one(query["expand[]"], retrieving(get)({ params })),
      /** As {@link listing}, with what the query asks to expand. */
      listing:
        <Filter, A extends object, E, R2>(list: List<Filter, A, E, R2>) =>
        ({ query }: { readonly query: Filter & PageRequest } & Expanding<Path>) =>
          listing((account, filter: Filter, request) => page(query["expand[]"], list(account, filter, request)))({ query })
    }
  })

interface Asked<Payload> {
  readonly payload: Payload
  readonly request: HttpServerRequest.HttpServerRequest
}

/** The handler that answers with the caller's resource of this id. */
export const retrieving = <A, E, R>(get: Get<A, E, R>) => ({ params }: One) =>
  Effect.flatMap(Caller, ({ account }) => get(account.id, params.id))

/** The handler that answers with a page of the caller's resources. The filter that `list` is given is the whole query. */
export const listing = <Filter, A, E, R>(list: List<Filter, A, E, R>) =>
  Effect.fnUntraced(function*({ query }: { readonly query: Filter & PageRequest }) {
    const { account } = yield* Caller
    const page = yield* Effect.fromResult(checkPage(query))
    return yield* listOwn(account.id, page, list(account.id, page, page))
  })

/** One for the sums of all lists of this process: they read all that matches, however much that is. */
const sumPlaces = makePlaces({ what: "sums of lists", atOnce: LONG_STATEMENTS_AT_ONCE, waiting: 30, ofAccount: 4, retryAfter: 5 })

/** The handler that answers with the sums of a list of the caller's. Its query is the filters. */
export const summing = <Filter extends { readonly merchant_id?: string }, A, E, R>(
  sums: (account: string, filter: Omit<Filter, "merchant_id">) => Effect.Effect<ReadonlyArray<A>, E, R>
) =>
  Effect.fnUntraced(function*({ query: { merchant_id, ...filter } }: { readonly query: Filter }) {
    const { account } = yield* Caller
    const isOwn = merchant_id === undefined || merchant_id === account.id
    return { data: isOwn ? yield* sumPlaces.take(account.id, sums(account.id, filter)) : [] }
  })

/** The handler of a request with a key that makes a resource. `operation` is for example `note.create`. */
export const creating = <Payload extends KeyedBody, E, R>(
  operation: string,
  create: (command: Command<AccountFacts, Payload>) => Effect.Effect<Reply, E, R>
) =>
  Effect.fnUntraced(function*({ payload, request }: Asked<Payload>) {
    const { account } = yield* Caller
    const keyed = yield* keyedRequest(operation, request, payload)
    return respond(yield* create({ account, keyed, payload }))
  })

/**
 * The handler of a request that makes a resource and may have no key: then the same request again makes another. `guessable` is the field
 * of the body that is a secret short enough to be guessed: see `mayBeKeyed`.
 */
export const creatingAnyhow = <Payload extends KeyedBody, E, R>(
  operation: string,
  create: (account: AccountFacts, payload: Payload, keyed?: Keyed) => Effect.Effect<Omit<Reply, "key">, E, R>,
  guessable?: string
) =>
  Effect.fnUntraced(function*({ payload, request }: Asked<Payload>) {
    const { account } = yield* Caller
    const keyed = yield* mayBeKeyed(operation, request, payload, guessable)
    const reply = yield* create(account, payload, keyed)
    return keyed === undefined
      ? HttpServerResponse.text(reply.body, { status: reply.status, contentType: "application/json" })
      : respond({ ...reply, key: keyed.key })
  })

/** The handler of a request with a key that changes a resource, at the version of `If-Match` where the request has one. */
export const acting = <Payload extends KeyedBody, E, R>(
  operation: string,
  act: (command: CommandOn<AccountFacts, Payload>) => Effect.Effect<Reply, E, R>
) =>
  Effect.fnUntraced(function*({ params, payload, request }: Asked<Payload> & One) {
    const { account } = yield* Caller
    const version = yield* Effect.fromResult(ifMatchOf(request))
    const keyed = yield* keyedRequest(operation, request, payload)
    return respond(yield* act({ account, id: params.id, version, keyed, payload }))
  })
