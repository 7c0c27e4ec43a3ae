/** The clause that moves the rows of a tally, and what it says when it is refused. */
import { Schema } from "effect"
import type { Columns } from "../database/columns.ts"
import { fromJsonText } from "../values/json-codec.ts"
import type { Clause, FilledClause } from "./clause.ts"
import type { BatchChanges, Tally, TallyNumbers } from "./tally.ts"

const named = (names: Iterable<string>, type: "int8"): Columns => Object.fromEntries(Array.from(names, (name) => [name, type]))

/** The numbers under which floors stand, as SQL on the row `t`. */
const bounds = ({ computed, numbers }: Tally): ReadonlyArray<readonly [name: string, sql: string]> => [
  ...numbers.map((name) => [name, `t.${name}`] as const),
  ...Object.entries(computed)
]

/**
 * Rows that are there are moved. Others begin with the moves, so no row has to be made beforehand. That a
 * row is there is read from the statement's snapshot: behind the gate no other commit of the account can have
 * come since. Where it nevertheless did, the key is violated and the batch is tried again.
 */
const clauseOf = (tally: Tally, floored: boolean, begins: boolean): Clause => {
  const { fixed, key, numbers, table } = tally
  const keys = ["account_id", ...Object.keys(key)]
  const same = keys.map((column) => `t.${column} = r.${column}`).join(" AND ")
  const whole = [...keys, ...numbers, ...Object.keys(fixed.columns)]
  const above = (of: (sql: string) => string): string =>
    floored ? bounds(tally).map(([name, sql]) => ` AND ${of(sql)} >= r.floor_${name}`).join("") : ""
  const bounded = bounds(tally).map(([, sql]) => `coalesce(${sql}, 0)`).join(", ")
  const begun = `
${table}_begun AS (
  INSERT INTO ${table} (${whole.join(", ")}, updated_at) SELECT ${
    whole.map((column) => `r.${column}`).join(", ")
  }, r.at FROM ${table}_rows r
  WHERE NOT EXISTS (SELECT 1 FROM ${table} t WHERE ${same})${above(() => "0")}
  RETURNING 1)`
  return {
    name: `${table}${floored ? "_floored" : ""}${begins ? "_begins" : ""}`,
    columns: {
      account_id: "text",
      ...key,
      ...named(numbers, "int8"),
      at: "timestamptz",
      ...(begins ? fixed.columns : {}),
      ...(floored ? { n: "int8", ...named(bounds(tally).map(([name]) => `floor_${name}`), "int8") } : {})
    },
    sql: (rows) => {
      const moved = (from: string) => `
${table}_moved AS (
  UPDATE ${table} t SET ${numbers.map((name) => `${name} = t.${name} + r.${name}`).join(", ")}, updated_at = r.at
  FROM ${from}
  WHERE ${same}${above((sql) => sql)}
  RETURNING 1)`
      if (!floored && !begins) return moved(`${rows} r, gate`)
      return `
${table}_rows AS MATERIALIZED (SELECT r.* FROM ${rows} r, gate),${moved(`${table}_rows r`)}${begins ? `,${begun}` : ""}`
    },
    check: (count) => {
      const all = `(SELECT count(*) FROM ${table}_moved)${begins ? ` + (SELECT count(*) FROM ${table}_begun)` : ""} = ${count}`
      return floored
        ? `CASE WHEN ${all} THEN true ELSE svc_refuse('${table}',
    (SELECT jsonb_agg(jsonb_build_array(${bounded}) ORDER BY r.n)::text FROM ${table}_rows r LEFT JOIN ${table} t ON ${same})) END`
        : `svc_require(${all}, '${table}')`
    }
  }
}

/**
 * The forms of a tally's clause, made once. Batches without floors are spared their columns, and batches whose
 * rows are known to be there, which are nearly all, the look for those that are not.
 */
export const tallyClauses = (tally: Tally) => {
  const forms = [
    clauseOf(tally, false, false),
    clauseOf(tally, false, true),
    clauseOf(tally, true, false),
    clauseOf(tally, true, true)
  ] as const
  const names = bounds(tally).map(([name]) => name)
  return ({ hasFloors, hasNew, rows }: BatchChanges): FilledClause => [
    hasFloors ? forms[hasNew ? 3 : 2] : forms[hasNew ? 1 : 0],
    Array.from(rows.values(), ({ at, fields, floors, moves }, n) => {
      const row: Record<string, unknown> = { ...fields, at }
      for (const name of tally.numbers) row[name] = moves[name] ?? 0
      if (hasFloors) {
        row["n"] = n
        for (const name of names) row[`floor_${name}`] = floors[name] ?? Number.MIN_SAFE_INTEGER
      }
      return row
    })
  ]
}

const decodeFound = Schema.decodeSync(fromJsonText(Schema.Array(Schema.Array(Schema.Int))))

/** What the rows held, by id, as a refusal of the clause tells it. */
export const heldOf = (tally: Tally, moves: BatchChanges, detail: string): ReadonlyMap<string, TallyNumbers> => {
  const names = bounds(tally).map(([name]) => name)
  const numbers = decodeFound(detail)
  return new Map(Array.from(moves.rows.keys(), (id, n) => [id, Object.fromEntries(names.map((name, k) => [name, numbers[n]?.[k] ?? 0]))]))
}
