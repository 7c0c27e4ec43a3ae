/** Transfer instruments in Postgres, beside what every resource is read by. The account comes first. */
import { KeyReader } from "@svc/kernel/database/client"
import { Effect } from "effect"
import { type TransferInstrument, transferInstruments } from "./model.ts"

/** Finds the default of a type and currency. */
export const standardInstrument = Effect.map(
  KeyReader,
  (reader) =>
    Effect.fnUntraced(function*(account: string, { currency, type }: Pick<TransferInstrument, "type" | "currency">) {
      const [row] = yield* reader.unsafe(
        "SELECT * FROM transfer_instruments WHERE account_id = $1 AND type = $2 AND currency = $3 AND is_default",
        [account, type, currency]
      )
      return row === undefined ? undefined : transferInstruments.decode(row)
    }, Effect.orDie)
)
