/**
 * The banks of sandbox accounts. An account whose number ends in 0002 is unknown to its bank; every other one is confirmed, and its two
 * small deposits are 32 and 45 minor units.
 */

export type BankConfirmation = { readonly _tag: "Confirmed" } | { readonly _tag: "Unknown"; readonly reason: string }

const unknown: BankConfirmation = { _tag: "Unknown", reason: "Its bank does not know this account." }

export const confirm = (number: string): BankConfirmation => number.endsWith("0002") ? unknown : { _tag: "Confirmed" }

/** The two small amounts that the account received. */
export const DEPOSITS: ReadonlyArray<number> = [32, 45]

/** Whether these are they, in any order. */
export const areDeposits = (amounts: ReadonlyArray<number>): boolean => amounts.toSorted((a, b) => a - b).join() === DEPOSITS.join()
