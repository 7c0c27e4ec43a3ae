/**
 * Tells workers that deliveries were queued, so that they need not wait for a poll: at once within the
 * process, and through `NOTIFY` to other processes, at most once in 25 ms. A lost signal costs no more
 * than the wait for the next poll.
 */
import { PgClient } from "@effect/sql-pg"
import { nextId } from "@svc/kernel/values/ids"
import { Context, Effect, Latch, Layer, Stream } from "effect"
import type { SqlError } from "effect/sql"
import { WorkerClient } from "./connection.ts"

const CHANNEL = "svc_webhooks"
const QUIET = "25 millis"
/** A notification carries fewer than 8,000 bytes; beyond that many accounts it names none. */
const NAMED_ACCOUNTS = 200

/** Accounts with new work; `unnamed` when there may be more, of accounts nobody named. */
export interface NewWork {
  readonly accounts: ReadonlySet<string>
  readonly unnamed: boolean
}

/** News that is collected until somebody takes it. */
class Inbox {
  private accounts = new Set<string>()
  private unnamed = false
  readonly latch = Latch.makeUnsafe(false)

  put(accounts: Iterable<string> | undefined): void {
    if (accounts === undefined) this.unnamed = true
    else for (const account of accounts) this.accounts.add(account)
    this.latch.openUnsafe()
  }

  take(): NewWork {
    const news = { accounts: this.accounts, unnamed: this.unnamed }
    this.accounts = new Set()
    this.unnamed = false
    this.latch.closeUnsafe()
    return news
  }
}

const payloadOf = (sender: string, { accounts, unnamed }: NewWork): string =>
  `${sender} ${unnamed || accounts.size > NAMED_ACCOUNTS ? "*" : Array.from(accounts).join(",")}`

export class DeliverySignal extends Context.Service<DeliverySignal, {
  /** Deliveries were committed for these accounts, or, with no argument, for some account. Tells every process. */
  readonly queued: (accounts?: Iterable<string>) => void
  /** The same, for this process only. */
  readonly wake: (accounts?: Iterable<string>) => void
  /** Waits for news and takes all there is. */
  readonly take: Effect.Effect<NewWork>
  /** Hears what other processes queue, for as long as its connection holds. */
  readonly listen: Effect.Effect<void, SqlError.SqlError, WorkerClient>
}>()("@svc/webhooks/DeliverySignal") {
  static readonly layer = Layer.effect(
    DeliverySignal,
    Effect.gen(function*() {
      const sql = yield* PgClient.PgClient
      const sender = yield* nextId("req")
      const here = new Inbox()
      const elsewhere = new Inbox()

      const announce = Effect.gen(function*() {
        yield* elsewhere.latch.await
        // Others poll; a notification that cannot be sent is not worth an error, and neither is one that a crash takes back worth a wait for
        // the disk.
        yield* Effect.ignore(
          sql`SELECT pg_notify(${CHANNEL}, ${payloadOf(sender, elsewhere.take())}) FROM set_config('synchronous_commit', 'off', true)`
        )
        yield* Effect.sleep(QUIET)
      })
      yield* Effect.forkScoped(Effect.forever(announce))

      const hear = (payload: string) => {
        const [from, names] = payload.split(" ")
        if (from !== sender) here.put(names === undefined || names === "*" ? undefined : names.split(","))
      }
      const notifications = Stream.unwrap(Effect.gen(function*() {
        const queue = yield* (yield* WorkerClient).listen(CHANNEL)
        // Whatever was said while nobody listened was missed.
        here.put(undefined)
        return Stream.fromQueue(queue)
      }))

      return DeliverySignal.of({
        queued: (accounts) => {
          here.put(accounts)
          elsewhere.put(accounts)
        },
        wake: (accounts) => here.put(accounts),
        take: Effect.andThen(here.latch.await, Effect.sync(() => here.take())),
        listen: Stream.runForEach(notifications, ({ payload }) => Effect.sync(() => hear(payload)))
      })
    })
  )
}
