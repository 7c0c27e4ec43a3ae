/**
 * What an account may do, by its status, what it was granted and what is forbidden to it. Data: services, doors and documents read the same
 * tables.
 */
import { type AccountStatus, AccountSuspended, type capabilityNames, type restrictionNames } from "../accounts/model.ts"
import type { AccountFacts } from "./model.ts"

/**
 * What is done in an account's name. `charge`: take money, or sell what will be charged. `payout`: send money to the account's own bank.
 * `refund`: give money back or let go of a hold. `answer`: answer a dispute. `record`: keep the data of the business, such as customers.
 * `manage`: change how the account is run. `protect`: take power away from a key. `read`: look.
 */
export const activities = ["read", "charge", "payout", "refund", "answer", "record", "manage", "protect"] as const
export type Activity = (typeof activities)[number]

const anything = new Set<Activity>(activities)
const without = (...forbidden: ReadonlyArray<Activity>): ReadonlySet<Activity> =>
  new Set(activities.filter((activity) => !forbidden.includes(activity)))

/** What each status permits. Disputes reach an account also after it was closed, and it may answer them. */
export const permits: Readonly<Record<AccountStatus, ReadonlySet<Activity>>> = {
  pending: without("charge", "payout"),
  active: anything,
  suspended: without("charge", "payout"),
  closed: new Set(["read", "answer", "protect"])
}

/** What an account needs to have been granted. */
export const needs: Partial<Readonly<Record<Activity, (typeof capabilityNames)[number]>>> = { charge: "charges", payout: "payouts" }

/** What takes it away all the same. */
export const forbiddenBy: Partial<Readonly<Record<Activity, (typeof restrictionNames)[number]>>> = {
  charge: "charges_disabled",
  payout: "payouts_disabled"
}

const inWords: Readonly<Record<Activity, string>> = {
  read: "be read",
  charge: "take new charges",
  payout: "be paid out",
  refund: "give refunds",
  answer: "answer disputes",
  record: "keep new records",
  manage: "be changed",
  protect: "revoke keys"
}

type PermittedAccount = Pick<AccountFacts, "status" | "capabilities" | "restrictions">

/** What stands in the way, in words; nothing where the account may. */
const obstacle = (activity: Activity, { capabilities, restrictions, status }: PermittedAccount): string | undefined => {
  if (!permits[status].has(activity)) return status
  const [needed, taken] = [needs[activity], forbiddenBy[activity]]
  if (taken !== undefined && restrictions.includes(taken)) return `restricted (${taken})`
  return needed === undefined || capabilities.includes(needed) ? undefined : `not granted ${needed}`
}

/** Whether some account may not do this. */
export const canBeForbidden = (activity: Activity): boolean =>
  needs[activity] !== undefined || Object.values(permits).some((permitted) => !permitted.has(activity))

/** Whether something is forbidden to the account. */
export const isLimited = (account: PermittedAccount): boolean => activities.some((activity) => obstacle(activity, account) !== undefined)

/** Whether the account may do this now. */
export const may = (activity: Activity, account: PermittedAccount): boolean => obstacle(activity, account) === undefined

/** The refusal where the account may not do this; undefined where it may. */
export const suspension = (activity: Activity, account: PermittedAccount): AccountSuspended | undefined => {
  const why = obstacle(activity, account)
  if (why === undefined) return undefined
  const { capabilities, restrictions, status } = account
  return new AccountSuspended({
    message: `This account is ${why} and cannot ${inWords[activity]}. ${
      status === "closed"
        ? "A closed account stays closed; it can still be read."
        : "Reads, refunds and answers to disputes still work; contact the operator."
    }`,
    details: { activity, status, capabilities, restrictions }
  })
}
