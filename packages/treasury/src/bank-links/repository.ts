/** Bank links in Postgres, beside what every resource is read by. The account comes first. */
import { KeyReader } from "@svc/kernel/database/client"
import { Effect } from "effect"
import { bankLinkNumbers, bankLinks } from "./model.ts"

/** The sealed numbers of a linked link. */
export const sealedNumbersOf = Effect.map(
  KeyReader,
  (reader) =>
    Effect.fnUntraced(function*(account: string, id: string) {
      const [row] = yield* reader.unsafe("SELECT * FROM bank_link_numbers WHERE account_id = $1 AND id = $2", [account, id])
      return row === undefined ? undefined : bankLinkNumbers.decode(row).sealed
    }, Effect.orDie)
)

/** Finds the link of an account that a link token is of. */
export const linkOfToken = Effect.map(
  KeyReader,
  (reader) =>
    Effect.fnUntraced(function*(account: string, link_token: string) {
      const [row] = yield* reader.unsafe("SELECT * FROM bank_links WHERE account_id = $1 AND link_token = $2", [account, link_token])
      return row === undefined ? undefined : bankLinks.decode(row)
    }, Effect.orDie)
)
