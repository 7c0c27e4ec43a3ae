/** A change of a resource, from its next version to the commit that writes it and the answer of the request that asked for it. */
import { type DateTime, Effect } from "effect"
import { type CommitRefused, Committer } from "../road/committer.ts"
import type { Commit, KeyWrite, StoredReply } from "../road/decision.ts"
import { internalCause, keyDone, type Keyed } from "./idempotency.ts"
import { modeOf } from "./keyed-verbs.ts"
import type { ResourceTable } from "./model.ts"

/** What every change of a resource changes. */
export interface Versioned {
  readonly updated_at: DateTime.Utc
  readonly version: number
}

/** The resource after a change: one version later. What a rule makes of a valid resource is checked by the constraints of its row. */
export const change = <R extends Versioned>(of: R, at: DateTime.Utc, changes: Partial<R>): R => ({
  ...of,
  ...changes,
  updated_at: at,
  version: of.version + 1
})

/** What a decision writes besides the resource itself. */
export type Effects<R = never> = Partial<
  Pick<Commit<R>, "writes" | "entries" | "events" | "set" | "clear" | "requires" | "counters" | "moments">
>

/** Which version of the resource a commit replaces, where that is not the one before: the commit makes several changes of it. */
interface Replaces {
  readonly replaces?: number | undefined
}

/** Under which key a request asks, if it has one, and whether the key is written already. */
interface Asked {
  readonly keyed?: Keyed | undefined
  readonly announced?: boolean
}

/** The road of one kind of resource. `type` is its name in keys, such as `note`. */
export const roadOf = <T extends Versioned & { readonly id: string }>(
  { accountOf, encode, write }: ResourceTable<T>,
  { type, wire = (of) => encode(of).wire }: { readonly type: string; readonly wire?: (of: T) => string }
) =>
  Effect.map(Committer, (committer) => {
    /** Commits the resource as it will be. `cause` is the request's key, or what `internalCause` says of a timer. */
    const commit = <R = never>(
      of: T,
      more: Effects<R> & Replaces,
      cause: string,
      key?: KeyWrite
    ): Effect.Effect<void, CommitRefused | R> => {
      const { clear = [], counters = [], entries = [], events = [], moments = [], replaces, requires = [], set = [], writes = [] } = more
      return committer.commit({
        account_id: accountOf(of),
        at: of.updated_at,
        cause,
        writes: [replaces === undefined ? write(of) : { ...write(of), replaces }, ...writes],
        entries,
        events,
        set,
        clear,
        counters,
        moments,
        requires,
        ...(key === undefined ? {} : { key })
      })
    }

    /** Commits what a request came to, and gives its answer, the resource. The answer is kept under the key of the request. */
    const answer = <R = never>(
      { announced = false, keyed }: Asked,
      of: T,
      more: Effects<R>,
      status: 200 | 201 | 202 = 200
    ): Effect.Effect<StoredReply, CommitRefused | R> => {
      const reply = { status, body: wire(of) }
      const written = keyed === undefined
        ? commit(of, more, internalCause(`${type}.create`, of.id))
        : commit(of, more, keyed.key, keyDone(keyed, { type, id: of.id }, reply, modeOf({ announced })))
      return Effect.as(written, reply)
    }

    /** Answers a request with the resource as it is. Only the key of the request is written. */
    const repeat = ({ announced = false, keyed }: Asked & { readonly keyed: Keyed }, of: T, at: DateTime.Utc) => {
      const reply: StoredReply = { status: 200, body: wire(of) }
      const key = keyDone(keyed, { type, id: of.id }, reply, modeOf({ announced }))
      const nothing = { writes: [], entries: [], events: [], set: [], clear: [] }
      return Effect.as(committer.commit({ ...nothing, account_id: accountOf(of), at, cause: keyed.key, key }), reply)
    }

    return { answer, commit, repeat }
  })
