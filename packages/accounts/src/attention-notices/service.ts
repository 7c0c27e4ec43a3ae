/** Tells people once of what needs them: what is open is noted, and a mail is written to each who can see to it. */
import { accountTime } from "@svc/kernel/clocks/account-time"
import { realNow } from "@svc/kernel/values/time"
import { Context, Effect, Layer } from "effect"
import type { ApiKeyScope } from "../access/model.ts"
import { scopesOf } from "../access/roles.ts"
import type { AttentionItem } from "../attention/model.ts"
import { AttentionRepository } from "../attention/repository.ts"
import type { Addressee, AttentionMail, MailOutcome } from "./model.ts"
import { AttentionNoticeRepository, type NewMail } from "./repository.ts"

/** Accounts that one round looks at. */
const ACCOUNTS_AT_ONCE = 100

const canAct = ({ role }: Addressee, scope: ApiKeyScope): boolean => scopesOf(role, new Set([scope])).has(scope)

/** To each person one mail, with all that they can see to. */
const mailsFor = (addressees: ReadonlyArray<Addressee>, items: ReadonlyArray<AttentionItem>): ReadonlyArray<NewMail> =>
  addressees.map((addressee) => ({
    user_id: addressee.user_id,
    items: items.filter(({ acts_with }) => canAct(addressee, acts_with))
  })).filter((mail) => mail.items.length > 0)

export class AttentionNotices extends Context.Service<AttentionNotices, {
  /** Writes the mails of what needs a person of this account since the last time. */
  readonly notice: (account: string) => Effect.Effect<void>
  /** The same for the accounts behind this one, and the last of them: where the next round goes on. Undefined after the last account. */
  readonly round: (after: string) => Effect.Effect<string | undefined>
  /** A mail that is due, which from now on is the caller's to send: no other process gets it, also when this one dies. */
  readonly take: Effect.Effect<AttentionMail | undefined>
  readonly settle: (id: number, outcome: MailOutcome) => Effect.Effect<void>
}>()("@svc/accounts/AttentionNotices") {
  static readonly layer = Layer.effect(
    AttentionNotices,
    Effect.gen(function*() {
      const repository = yield* AttentionNoticeRepository
      const { open } = yield* AttentionRepository
      const { timeOf } = yield* accountTime

      const noticeAlone = Effect.fnUntraced(function*(account: string) {
        const items = yield* open(account, yield* timeOf(account))
        yield* repository.forget(account, items)
        const at = yield* realNow
        if (items.length === 0 || (yield* repository.isTooSoon(account, at))) return
        const addressees = yield* repository.addressees(account)
        // What nobody can be told of yet is noted once somebody can.
        const known = items.filter(({ acts_with }) => addressees.some((addressee) => canAct(addressee, acts_with)))
        const noted = yield* repository.note(account, known, at)
        const isNew = ({ kind, resource_id }: AttentionItem) => noted.some((one) => one.kind === kind && one.resource_id === resource_id)
        yield* repository.write(account, mailsFor(addressees, known.filter(isNew)), at)
      })

      const notice = Effect.fn("AttentionNotices.notice")((account: string) => repository.alone(account, noticeAlone(account)))

      return AttentionNotices.of({
        notice,
        round: Effect.fn("AttentionNotices.round")(function*(after: string) {
          const accounts = yield* repository.accountsAfter(after, ACCOUNTS_AT_ONCE)
          yield* Effect.forEach(accounts, notice, { discard: true })
          return accounts.length < ACCOUNTS_AT_ONCE ? undefined : accounts.at(-1)
        }),
        take: Effect.flatMap(realNow, repository.take),
        settle: repository.settle
      })
    })
  )
}
