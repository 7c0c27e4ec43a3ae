/** Exchanges the public token of a finished link for the linked accounts. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { hashSecret } from "@svc/accounts/api-keys/secret"
import type { Work } from "@svc/kernel/resource/keyed-verbs"
import { Effect } from "effect"
import type { BankLink, ExchangeBankLinkRequest } from "../model.ts"
import { linkedAccounts } from "../provider/accounts.ts"
import { BankLinkProvider, type Exchange } from "../provider/provider.ts"
import { linkOfToken } from "../repository.ts"
import * as rules from "../rules.ts"
import { bankLinkVerbs } from "./answers.ts"
import { makeSealedNumbers } from "./numbers.ts"

export const makeTokenExchange = Effect.gen(function*() {
  const provider = yield* BankLinkProvider
  const numbers = yield* makeSealedNumbers
  const ofToken = yield* linkOfToken
  const { answer, change, repeat } = yield* bankLinkVerbs

  const refuse = Effect.fnUntraced(function*({ account_id, id }: BankLink, { reason }: Extract<Exchange, { readonly _tag: "Refused" }>) {
    if (reason === "no_accounts") {
      yield* Effect.catchTag(change(account_id, id, (link, at) => Effect.succeed(rules.fail(link, at))), "NotFound", Effect.die)
    }
    return yield* rules.refusal(reason)
  })

  // The provider's key is the link and the token: of two requests at once the provider does one, and answers both.
  return Effect.fnUntraced(function*(work: Work<AccountFacts, undefined, ExchangeBankLinkRequest>) {
    const { account, at, payload: { public_token } } = work
    const link_token = yield* provider.linkTokenOf(public_token)
    const link = (link_token === null ? undefined : yield* ofToken(account.id, link_token)) ?? (yield* rules.noSuchToken())
    const public_token_hash = hashSecret(public_token)
    if (link.public_token_hash === public_token_hash) return yield* repeat(work, link, at)
    yield* Effect.fromResult(rules.mayExchange(link, at))
    const result = yield* provider.exchange({ key: `${link.id}:${public_token_hash}`, public_token })
    if (result._tag === "Refused") return yield* refuse(link, result)
    const linked = {
      item_id: result.item_id,
      accounts: linkedAccounts(result.accounts),
      public_token_hash
    }
    const { resource, ...effects } = yield* Effect.fromResult(rules.exchange(link, linked, at))
    return yield* answer(work, resource, { ...effects, writes: [numbers.write(link, result.accounts, at)] })
  })
})
