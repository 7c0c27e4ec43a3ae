/** Reads sessions with their whole address. */
import { KeyReader } from "@svc/kernel/database/client"
import type { ResourceTable } from "@svc/kernel/resource/model"
import { type Reader, readerOf, type Reading } from "@svc/kernel/resource/reader"
import { Keyring } from "@svc/platform/encryption/keyring"
import { Effect, type Schema } from "effect"
import { type Addressed, opens, wholeAddress } from "./sealed-url.ts"

export interface AddressReader<R, Filter> extends Reader<R, Filter> {
  /**
   * The session of any account with this id and secret: knowing the address is what permits the caller to see it. Undefined for another
   * secret as for another id.
   */
  readonly findByAddress: (id: string, secret: string) => Effect.Effect<R | undefined>
}

export const addressReaderOf = <R extends Addressed, const Filters extends Schema.Struct.Fields>(
  table: ResourceTable<R>,
  reading: Reading<Filters>
) =>
  Effect.gen(function*() {
    const keyring = yield* Keyring
    const rows = yield* readerOf(table, reading)
    const reader = yield* KeyReader
    const whole = (session: R) => wholeAddress(keyring, session)

    const findByAddress = Effect.fnUntraced(function*(id: string, secret: string) {
      const [row] = table.isId(id) ? yield* reader.unsafe(`SELECT * FROM ${table.name} WHERE id = $1`, [id]) : []
      const session = row === undefined ? undefined : yield* whole(table.decode(row))
      return session !== undefined && opens(session.url, secret) ? session : undefined
    }, Effect.orDie)

    const sessions: AddressReader<R, Schema.Struct.Type<Filters>> = {
      find: (account, id) =>
        Effect.flatMap(rows.find(account, id), (session) => session === undefined ? Effect.succeed(undefined) : whole(session)),
      findByIds: (account, ids) => Effect.flatMap(rows.findByIds(account, ids), (list) => Effect.forEach(list, whole)),
      get: (account, id) => Effect.flatMap(rows.get(account, id), whole),
      list: (account, filter, page) =>
        Effect.flatMap(
          rows.list(account, filter, page),
          (list) => Effect.map(Effect.forEach(list.data, whole), (data) => ({ ...list, data }))
        ),
      sums: rows.sums,
      findByAddress
    }
    return sessions
  })
