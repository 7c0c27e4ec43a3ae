/**
 * The verbs of a resource that its rules alone decide: get, list, create, and act. A verb that calls the outside first or commits with
 * another resource is written with `keyedVerbs` and `roadOf` instead, beside the ones made here.
 */
import { type DateTime, Effect, type Schema } from "effect"
import type { StoredReply } from "../road/decision.ts"
import { IdSource } from "../values/ids.ts"
import { now } from "../values/time.ts"
import { type Effects, roadOf, type Versioned } from "./change.ts"
import { Idempotency, internalCause, type Keyed, once } from "./idempotency.ts"
import { keyedVerbs, type Work } from "./keyed-verbs.ts"
import type { ResourceTable } from "./model.ts"
import { readerOf, type Reading } from "./reader.ts"
import { untilCommitted } from "./versions.ts"

/** What a rule decides: the resource as it will be, and what its commit writes besides. `R` is what the commit may refuse it with. */
export interface Decision<A, R = never> extends Effects<R> {
  readonly resource: A
}

/** The columns that every new resource has alike, whichever column holds its account. */
export type NewRow<A> = Pick<A, Extract<keyof A, "id" | "account_id" | "merchant_id" | "created_at" | "updated_at" | "version">>

interface Inserting<Account, P> {
  readonly account: Account
  readonly at: DateTime.Utc
  readonly payload: P
  readonly keyed?: Keyed | undefined
  readonly announced?: boolean
}

/** A fresh answer, or the stored one of a repeated request. */
export interface Created extends StoredReply {
  readonly replayed: boolean
}

interface Owner {
  readonly id: string
}

/** Makes a resource: `row` has the columns that every new one has alike. */
type Making<Account, P, A, R, E> = (payload: P, row: NewRow<A>, account: Account) => Effect.Effect<Decision<A, R>, E>

/** How resources are read, and the text of an answer where it is more than the row. */
interface Describing<A, Filters extends Schema.Struct.Fields> extends Reading<Filters> {
  readonly wire?: (of: A) => string
}

/** The verbs of one kind of resource. Its `name` is what people call it, such as `gift card`; keys and causes say `gift_card`. */
export const verbsOf = <A extends Versioned & Owner, const Filters extends Schema.Struct.Fields>(
  table: ResourceTable<A>,
  { wire, ...reading }: Describing<A, Filters>
) =>
  Effect.gen(function*() {
    const type = reading.name.replaceAll(" ", "_")
    const idempotency = yield* Idempotency
    const reader = yield* readerOf(table, reading)
    const road = yield* roadOf(table, wire === undefined ? { type } : { type, wire })
    const loading = { name: reading.name, get: reader.get }

    // An id carries the moment at which its row was made. The columns are those of the table, which TypeScript knows by their names alone.
    const rowFor = (account: Owner, at: DateTime.Utc) =>
      Effect.map(IdSource, (makeId) => {
        const id = makeId(reading.prefix, at.epochMilliseconds)
        return { id, [table.account]: account.id, created_at: at, updated_at: at, version: 1 } as unknown as NewRow<A>
      })

    const insert = Effect.fnUntraced(function*<Account extends Owner, P, E, R>(
      { account, at, payload, ...asked }: Inserting<Account, P>,
      make: Making<Account, P, A, R, E>
    ) {
      const decision = yield* make(payload, yield* rowFor(account, at), account)
      return yield* road.answer<R>(asked, decision.resource, decision, 201)
    })

    return {
      ...reader,
      ...road,

      /** For requests that must have a key. */
      create: <Account extends Owner, P, E, R = never>(span: string, make: Making<Account, P, A, R, E>) =>
        keyedVerbs<Account, A, never>(idempotency, loading).making(span, (work: Work<Account, undefined, P>) => insert(work, make)),

      /** For requests that may have a key. Without one the same request again makes another. */
      createAnyhow: <Account extends Owner, P, E, R = never>(span: string, make: Making<Account, P, A, R, E>) =>
        Effect.fn(span)(function*(account: Account, payload: P, keyed?: Keyed) {
          const inserted = Effect.flatMap(now, (at) => insert({ account, at, keyed, payload }, make))
          if (keyed !== undefined) return yield* once(idempotency, account.id, keyed, () => inserted)
          // The row is fresh; what parts above write with it may be somebody else's meanwhile.
          return { ...(yield* untilCommitted(reading.name, inserted)), replayed: false }
        }),

      /** For requests with a key that change a resource. */
      act: <Account extends Owner, P, E, R = never>(
        span: string,
        decide: (resource: A, work: Work<Account, A, P>) => Effect.Effect<Decision<A, R>, E>
      ) =>
        keyedVerbs<Account, A, never>(idempotency, loading).on(span, (work: Work<Account, A, P>) =>
          Effect.flatMap(decide(work.resource, work), (decision) =>
            road.answer<R>(work, decision.resource, decision))),

      /** For what changes a resource without a key, such as a timer. Where `decide` gives nothing, nothing is to be done. */
      change: <E, R = never>(
        account: string,
        id: string,
        decide: (resource: A, at: DateTime.Utc) => Effect.Effect<Decision<A, R> | undefined, E>
      ) =>
        untilCommitted(
          reading.name,
          Effect.gen(function*() {
            const resource = yield* reader.get(account, id)
            const decision = yield* decide(resource, yield* now)
            if (decision !== undefined) {
              yield* road.commit<R>(decision.resource, decision, internalCause(`${type}.change`, `${id}:${resource.version}`))
            }
            return decision?.resource ?? resource
          })
        )
    }
  })
