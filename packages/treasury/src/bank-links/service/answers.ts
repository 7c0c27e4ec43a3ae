/** Commits the changes of bank links, and answers the requests. */
import type { AccountFacts } from "@svc/accounts/access/model"
import type { Effects } from "@svc/kernel/resource/change"
import { keyDone } from "@svc/kernel/resource/idempotency"
import { modeOf, type Work } from "@svc/kernel/resource/keyed-verbs"
import { verbsOf } from "@svc/kernel/resource/verbs"
import { Committer } from "@svc/kernel/road/committer"
import type { StoredReply } from "@svc/kernel/road/decision"
import { Effect } from "effect"
import { type BankLink, bankLinkFilters, bankLinks } from "../model.ts"
import * as rules from "../rules.ts"

/** The verbs of the resource kit. */
export const bankLinkVerbs = verbsOf(bankLinks, { name: rules.NAME, prefix: "bl", filters: bankLinkFilters })

export type BankLinkWork<Payload> = Work<AccountFacts, BankLink, Payload>

/** Answers with another body than the link. */
export const makeAnswers = Effect.gen(function*() {
  const committer = yield* Committer
  const { commit } = yield* bankLinkVerbs

  /** Stores the reply of a request that changes nothing. */
  const answerOnly = Effect.fnUntraced(
    function*<P>({ account, at, keyed, ...work }: Work<AccountFacts, unknown, P>, id: string, body: string) {
      const reply: StoredReply = { status: 200, body }
      const key = keyDone(keyed, { type: "bank_link", id }, reply, modeOf(work))
      yield* committer.commit({
        account_id: account.id,
        at,
        cause: keyed.key,
        writes: [],
        entries: [],
        events: [],
        set: [],
        clear: [],
        key
      })
      return reply
    }
  )

  /** Commits the changed link, with a reply that is not the link. */
  const answerWith = Effect.fnUntraced(function*<P>(work: BankLinkWork<P>, link: BankLink, more: Effects, body: string) {
    const reply: StoredReply = { status: 200, body }
    yield* commit(link, more, work.keyed.key, keyDone(work.keyed, { type: "bank_link", id: link.id }, reply, modeOf(work)))
    return reply
  })

  return { answerOnly, answerWith }
})
