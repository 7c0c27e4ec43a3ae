/** Seals and reads the numbers of a link's bank accounts. */
import { Keyring } from "@svc/platform/encryption/keyring"
import { type DateTime, Effect, Schema } from "effect"
import { type BankLink, bankLinkNumbers, Numbers } from "../model.ts"
import { numbersOf } from "../provider/accounts.ts"
import type { BankAccount } from "../provider/provider.ts"
import { sealedNumbersOf } from "../repository.ts"

const readNumbers = Schema.decodeUnknownSync(Numbers)
const writeNumbers = Schema.encodeSync(Numbers)

export const makeSealedNumbers = Effect.gen(function*() {
  const [keyring, kept] = [yield* Keyring, yield* sealedNumbersOf]
  return {
    write: ({ account_id, id }: BankLink, accounts: ReadonlyArray<BankAccount>, at: DateTime.Utc) =>
      bankLinkNumbers.write({
        id,
        account_id,
        sealed: keyring.seal(writeNumbers(numbersOf(accounts)), id),
        created_at: at,
        updated_at: at,
        version: 1
      }),
    of: Effect.fnUntraced(function*({ account_id, id }: BankLink, bank_account_id: string) {
      const sealed = yield* kept(account_id, id)
      const numbers = sealed === undefined ? undefined : readNumbers(yield* Effect.orDie(keyring.open(sealed, id)))
      return numbers?.[bank_account_id] ?? (yield* Effect.die(`the numbers of ${id} lack those of a linked account`))
    })
  }
})
