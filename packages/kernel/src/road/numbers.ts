/**
 * Numbers without a gap. Each account has one row of them: a commit takes the next when it is written, at the head of its account, where
 * commits stand in line. A number in a sequence of Postgres would be lost with the transaction that took it.
 */
import type { Columns } from "../database/columns.ts"
import type { Commit } from "./decision.ts"
import type { AccountHead } from "./sink.ts"

/** The last number that was given. */
export const LAST_NUMBER: Columns = { number_seq: "int8" }

/** The commit with what it writes under its numbers, and the head behind them. */
export const numbered = (commit: Commit<unknown>, head: AccountHead): readonly [Commit<unknown>, AccountHead] => {
  if (commit.numbered === undefined) return [commit, head]
  let number_seq = Number(head["number_seq"])
  const more = commit.numbered.map((one) => one.with(++number_seq))
  return [{
    ...commit,
    writes: [...commit.writes, ...more.flatMap(({ writes }) => writes)],
    events: [...commit.events, ...more.flatMap(({ events }) => events)]
  }, { ...head, number_seq }]
}
